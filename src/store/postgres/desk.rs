//! What an operator sees: how this store asks.

use std::sync::Arc;

use idem_templates::sql::postgres as files;
use sqlx::SqlSafeStr as _;

use super::{PostgresStore, Transaction, begin, bound, failed};
use crate::StoreError;
use crate::desk::{Change, DeadLetter, Desk, Entry, Filter, Hooks, Letter, Settlement, Workflows};
use crate::store::Request;
use crate::store::sql::desk::{self, Asked, Asks, Texts};
use crate::store::sql::fields::{Fields, fields};
use crate::store::sql::statement::Statement;

const DOING: &str = "working for an operator";

impl Asked for Transaction {
    async fn rows(&mut self, statement: Statement<'_>) -> Result<Vec<Fields>, StoreError> {
        let rows = bound(statement).fetch_all(&mut **self).await;
        let rows = rows.map_err(|error| failed(DOING, error))?;
        let read = rows.iter().map(fields).collect::<Result<_, _>>();
        read.map_err(|error| failed(DOING, error))
    }

    async fn done(self) -> Result<(), StoreError> {
        self.commit().await.map_err(|error| failed(DOING, error))
    }
}

impl Asks for PostgresStore {
    type Asked = Transaction;
    const TEXTS: Texts = Texts {
        noted: files::DESK_NOTED,
        note: files::DESK_NOTE,
        promote: files::DESK_PROMOTE,
        unnoted: files::DESK_UNNOTED,
        list: files::DESK_LIST,
        list_dead: files::DESK_LIST_DEAD,
        letters: files::DESK_LETTERS,
        settlements: files::DESK_SETTLEMENTS,
        resolve: files::DESK_RESOLVE,
        retry: files::DESK_RETRY,
        forget: files::DESK_FORGET,
        settle_letters: files::DESK_SETTLE_LETTERS,
        audit: files::DESK_AUDIT,
    };

    async fn asking(&self) -> Result<Transaction, StoreError> {
        let connection = self.live(DOING).await?;
        begin(connection, "begin".into_sql_str())
            .await
            .map_err(|error| failed(DOING, error))
    }

    async fn look(&self, statement: Statement<'_>) -> Result<Vec<Fields>, StoreError> {
        let mut connection = self.live(DOING).await?;
        let rows = bound(statement).fetch_all(&mut *connection).await;
        let rows = rows.map_err(|error| failed(DOING, error))?;
        let read = rows.iter().map(fields).collect::<Result<_, _>>();
        read.map_err(|error| failed(DOING, error))
    }
}

impl PostgresStore {
    /// The same store, telling this hook about each case for a person.
    #[must_use]
    pub fn dead_letters_to(mut self, hook: Arc<dyn DeadLetter>) -> Self {
        self.hooks = self.hooks.with(hook);
        self
    }
}

impl Desk for PostgresStore {
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
