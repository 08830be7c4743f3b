//! A session that is lent, and goes back to its pool only when nothing of it is left open.

use std::sync::atomic::{AtomicU64, Ordering};

use idem_templates::sql::{Numbered, mysql as files};
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, Database, MySql, MySqlConnection, Row as _, SqlSafeStr as _, SqlStr};
use sqlx_core::transaction::TransactionManager as _;

use super::statements::{bound, numbered};
use crate::store::Held;
use crate::store::sql::statement::Statement;

/// A session. Dropped in the middle of an answer or of a transaction, it is closed, and the server
/// rolls back and lets go of its locks: the driver would take what is left of an interrupted answer
/// for the next one.
pub(super) struct Session {
    connection: PoolConnection<MySql>,
    whole: bool,
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.whole {
            self.connection.close_on_drop();
        }
    }
}

/// What a text that is answered in turn says.
pub(super) struct InTurn {
    /// Whether the session is as it should be.
    pub(super) fine: bool,
    /// The moment that was read, in milliseconds; 0 where none was.
    pub(super) millis: i64,
}

impl Session {
    pub(super) fn new(connection: PoolConnection<MySql>) -> Self {
        Self {
            connection,
            whole: true,
        }
    }

    /// The connection, for a statement whose answer is handed to [`Session::answered`].
    pub(super) fn asking(&mut self) -> &mut MySqlConnection {
        self.whole = false;
        &mut self.connection
    }

    /// Takes note that an answer was read to its end.
    pub(super) fn answered<T>(&mut self, answer: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        self.whole = matches!(answer, Ok(_) | Err(sqlx::Error::Database(_)));
        answer
    }

    /// The connection inside a transaction: the session is not whole until it is given back.
    pub(super) fn connection(&self) -> &MySqlConnection {
        &self.connection
    }

    /// The same, for a statement.
    pub(super) fn connection_mut(&mut self) -> &mut MySqlConnection {
        &mut self.connection
    }

    pub(super) async fn begin(&mut self, text: SqlStr) -> Result<(), sqlx::Error> {
        Transactions::begin(self.asking(), Some(text)).await
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.end(files::COMMIT).await
    }

    pub(super) async fn roll_back(self) -> Result<(), sqlx::Error> {
        self.end(files::ROLLBACK).await
    }

    /// Rolls back while the caller goes on.
    pub(super) fn roll_back_in_background(self) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // Where that fails the session is closed, which is a rollback too.
                let _closed = self.roll_back().await;
            });
        }
    }

    /// Ends the transaction with that text, and gives the session back.
    async fn end(mut self, text: &'static str) -> Result<(), sqlx::Error> {
        let ended = self.ask_in_turn(text).await?;
        // The driver still counts a transaction. What it now queues ends none, and is sent before its
        // ping on the way to the pool, when the caller has its answer.
        while Transactions::get_transaction_depth(&self.connection) > 0 {
            Transactions::start_rollback(&mut self.connection);
        }
        self.whole = ended.fine;
        Ok(())
    }

    /// Begins a short transaction of the store's own.
    pub(super) async fn begin_short(&mut self) -> Result<(), sqlx::Error> {
        self.begin(files::BEGIN_SHORT.into_sql_str()).await
    }

    /// Commits it, and gives the session back.
    pub(super) async fn commit_short(mut self) -> Result<(), sqlx::Error> {
        let committed = Transactions::commit(&mut self.connection).await;
        self.answered(committed)
    }

    /// Deletes one batch of finished rows, and says how many.
    pub(super) async fn sweep(mut self, batch: u32) -> Result<u64, sqlx::Error> {
        self.begin_short().await?;
        let swept = numbered(&files::SWEEP)
            .bind(i64::from(batch))
            .execute(self.connection_mut())
            .await?;
        self.commit_short().await?;
        Ok(swept.rows_affected())
    }

    /// Undoes what was written, and keeps the key's lock and the transaction's count.
    pub(super) async fn undo(&mut self) -> Result<(), sqlx::Error> {
        let undone = sqlx::raw_sql(files::UNDO).execute(self.connection_mut());
        undone.await.map(drop)
    }

    /// Lets go of a leased claim's locks while the caller goes on.
    pub(super) fn let_go_in_background(mut self) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            self.whole = false;
            runtime.spawn(async move {
                let let_go = sqlx::raw_sql(files::LET_GO).execute(self.asking()).await;
                // Where that fails the session is closed, which lets go too.
                let _closed = self.answered(let_go);
            });
        }
    }

    /// Ends a short transaction of a leased claim: commits it, or undoes it, and lets go of its locks
    /// in the background.
    pub(super) async fn end_claim(mut self, keep: bool) -> Result<(), sqlx::Error> {
        let connection = &mut self.connection;
        if keep {
            Transactions::commit(connection).await?;
        } else {
            Transactions::rollback(connection).await?;
        }
        self.let_go_in_background();
        Ok(())
    }

    /// Runs a text of several statements whose answer repeats a number: one that does not is the
    /// answer to something else.
    pub(super) async fn ask_in_turn(
        &mut self,
        statement: &'static str,
    ) -> Result<InTurn, sqlx::Error> {
        static TURN: AtomicU64 = AtomicU64::new(1);
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        // Safe as SQL: the only thing put into the text is a number.
        let text = AssertSqlSafe(files::in_turn(statement, turn)).into_sql_str();
        // Read to its end: the texts end with their one row.
        let rows = sqlx::raw_sql(text).fetch_all(self.connection_mut()).await?;
        let row = rows.last().ok_or(sqlx::Error::RowNotFound)?;
        let answered: i64 = row.try_get(0)?;
        if u64::try_from(answered) != Ok(turn) {
            return Err(sqlx::Error::Protocol(
                "an answer out of turn: an interrupted statement left it behind".to_owned(),
            ));
        }
        Ok(InTurn {
            fine: row.try_get(1)?,
            millis: if row.len() > 2 { row.try_get(2)? } else { 0 },
        })
    }
}

/// Runs statements in one short transaction. Where one finds no row, nothing is written. After an error
/// the transaction may be open.
pub(super) async fn together(
    connection: &mut MySqlConnection,
    statements: &[Statement<'_, &'static Numbered>],
) -> Result<Held, sqlx::Error> {
    let text = files::BEGIN_SHORT.into_sql_str();
    Transactions::begin(connection, Some(text)).await?;
    for statement in statements {
        let done = bound(statement).execute(&mut *connection).await?;
        if done.rows_affected() == 0 {
            Transactions::rollback(connection).await?;
            return Ok(Held::Lost);
        }
    }
    Transactions::commit(connection).await?;
    Ok(Held::Yes(()))
}

/// The driver counts transactions, so that one inside ours is a savepoint; its own type for them
/// would give the session back without having let go of the key's lock.
type Transactions = <MySql as Database>::TransactionManager;
