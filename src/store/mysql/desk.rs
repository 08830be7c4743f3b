//! What an operator sees: how this store asks.

use std::sync::Arc;

use idem_templates::sql::{Numbered, mysql as files};

use super::MysqlStore;
use super::errors::{failed, is_taken};
use super::session::Session;
use super::statements::bound;
use crate::StoreError;
use crate::desk::{Change, DeadLetter, Desk, Entry, Filter, Hooks, Letter, Settlement, Workflows};
use crate::store::Request;
use crate::store::sql::desk::{self, Asked, Asks, Texts};
use crate::store::sql::fields::{Fields, fields};
use crate::store::sql::statement::{Statement, Value};

const DOING: &str = "working for an operator";

/// A short transaction. Dropped, its session is closed, which is a rollback.
pub(in crate::store) struct Asking(Session);

impl Asking {
    /// Reads rows.
    async fn read(
        &mut self,
        statement: &Statement<'_, &Numbered>,
    ) -> Result<Vec<Fields>, sqlx::Error> {
        let rows = bound(statement).fetch_all(self.0.connection_mut()).await?;
        rows.iter().map(fields).collect()
    }

    /// Runs a statement. One that writes returns nothing here, so there is an empty row for each that
    /// it changed, and a letter is read when it is written.
    async fn ask(&mut self, statement: Statement<'_>) -> Result<Vec<Fields>, sqlx::Error> {
        let (text, values) = (statement.text, statement.values);
        let text = match values.first() {
            Some(Value::MaybeText(Some(_))) if text == files::DESK_PROMOTE.sql => {
                files::DESK_PROMOTE_ONE
            }
            _ => Numbered::of(text),
        };
        let statement = Statement {
            text: &text,
            values,
        };
        if text.sql.starts_with("select") {
            return self.read(&statement).await;
        }
        let changed = bound(&statement).execute(self.0.connection_mut()).await;
        let changed = match changed {
            Ok(changed) => changed.rows_affected(),
            Err(error) if is_taken(&error) => 0,
            Err(error) => return Err(error),
        };
        if text.sql == files::DESK_NOTE.sql && changed > 0 {
            let written = Statement {
                text: &files::DESK_WRITTEN,
                values: statement.values,
            };
            return self.read(&written).await;
        }
        Ok((0..changed).map(|_| Fields::none()).collect())
    }
}

impl Asked for Asking {
    async fn rows(&mut self, statement: Statement<'_>) -> Result<Vec<Fields>, StoreError> {
        let rows = self.ask(statement).await;
        rows.map_err(|error| failed(DOING, error))
    }

    async fn done(self) -> Result<(), StoreError> {
        let committed = self.0.commit_short().await;
        committed.map_err(|error| failed(DOING, error))
    }
}

impl Asks for MysqlStore {
    type Asked = Asking;
    const TEXTS: Texts = Texts {
        noted: files::DESK_NOTED.sql,
        note: files::DESK_NOTE.sql,
        promote: files::DESK_PROMOTE.sql,
        unnoted: files::DESK_UNNOTED.sql,
        list: files::DESK_LIST.sql,
        list_dead: files::DESK_LIST_DEAD.sql,
        letters: files::DESK_LETTERS.sql,
        settlements: files::DESK_SETTLEMENTS.sql,
        resolve: files::DESK_RESOLVE.sql,
        retry: files::DESK_RETRY.sql,
        forget: files::DESK_FORGET.sql,
        settle_letters: files::DESK_SETTLE_LETTERS.sql,
        audit: files::DESK_AUDIT.sql,
    };

    async fn asking(&self) -> Result<Asking, StoreError> {
        let mut session = self.live(DOING).await?;
        let begun = session.begin_short().await;
        begun.map_err(|error| failed(DOING, error))?;
        Ok(Asking(session))
    }

    async fn look(&self, statement: Statement<'_>) -> Result<Vec<Fields>, StoreError> {
        let mut session = self.live(DOING).await?;
        let text = Numbered::of(statement.text);
        let statement = Statement {
            text: &text,
            values: statement.values,
        };
        let rows = bound(&statement).fetch_all(session.asking()).await;
        let rows = session.answered(rows);
        let read = rows.and_then(|rows| rows.iter().map(fields).collect());
        read.map_err(|error| failed(DOING, error))
    }
}

impl MysqlStore {
    /// The same store, telling this hook about each case for a person.
    #[must_use]
    pub fn dead_letters_to(mut self, hook: Arc<dyn DeadLetter>) -> Self {
        self.hooks = self.hooks.with(hook);
        self
    }
}

impl Desk for MysqlStore {
    async fn note(&self, request: &Request) -> Result<Option<Letter>, StoreError> {
        desk::note(self, request).await
    }

    async fn promote(&self, batch: u32, workflows: &Workflows) -> Result<Vec<Letter>, StoreError> {
        desk::promote(self, batch, workflows).await
    }

    fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Entry>, StoreError> {
        desk::list(self, filter).await
    }

    async fn letters(&self, key: &str) -> Result<Vec<Letter>, StoreError> {
        desk::letters(self, key).await
    }

    async fn settlements(&self, key: &str) -> Result<Vec<Settlement>, StoreError> {
        desk::settlements(self, key).await
    }

    async fn change(
        &self,
        seen: &Entry,
        change: &Change<'_>,
        by: &str,
        note: &str,
    ) -> Result<bool, StoreError> {
        desk::change(self, seen, change, by, note).await
    }
}
