//! Effects outside the database, beside their operation.

use std::time::Duration;

use idem_templates::sql::postgres as files;
use sqlx::{ConnectOptions as _, PgConnection, Row as _};

use super::{PostgresStore, bound, failed, is_conflict};
use crate::claim::Claim;
use crate::store::sql::held;
use crate::store::sql::statement::Statement;
use crate::store::{BegunEffect, EffectStore, Held, Request};
use crate::{Effect, StoreError};

/// What a handler with effects outside the database is given.
pub type Operation<'o> = crate::Operation<'o, super::Tx<'static>>;

/// How long a transition waits for a connection of the pool before it opens one of its own: longer
/// than any statement takes, and short beside a call to a provider. Waiting longer might be for a
/// connection that the caller's own transaction holds.
const PATIENCE: Duration = Duration::from_millis(250);

impl EffectStore for PostgresStore {
    const BESIDE_TRANSACTION: bool = true;

    async fn effects(&self, request: &Request) -> Result<Vec<BegunEffect>, StoreError> {
        const DOING: &str = "reading an operation's effects";
        let mut connection = self.live(DOING).await?;
        let rows = sqlx::query(files::EFFECT_READ)
            .bind(request.key().as_str())
            .fetch_all(&mut *connection)
            .await
            .map_err(|error| failed(DOING, error))?;
        rows.iter()
            .map(|row| {
                Ok(BegunEffect {
                    effect: row.try_get(0)?,
                    result: row.try_get(1)?,
                })
            })
            .collect::<Result<_, sqlx::Error>>()
            .map_err(|error| failed(DOING, error))
    }

    async fn begin_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        self.transition("beginning an effect", || {
            Statement::of_effect(files::EFFECT_BEGIN, request, claim, effect).lifetime(effect)
        })
        .await
    }

    async fn record_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
        result: &[u8],
    ) -> Result<Held, StoreError> {
        self.transition("recording an effect", || {
            Statement::of_effect(files::EFFECT_RECORD, request, claim, effect).result(result)
        })
        .await
    }

    async fn clear_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        self.transition("clearing an effect", || {
            Statement::of_effect(files::EFFECT_CLEAR, request, claim, effect)
        })
        .await
    }
}

impl PostgresStore {
    /// Runs one statement by itself, and never waits for a connection that this call holds.
    async fn transition<'q>(
        &self,
        doing: &'static str,
        statement: impl Fn() -> Statement<'q>,
    ) -> Result<Held, StoreError> {
        if let Ok(connection) = tokio::time::timeout(PATIENCE, self.live(doing)).await {
            return send(&mut *connection?, doing, statement).await;
        }
        let options = self.pool.connect_options();
        let mut own = options
            .connect()
            .await
            .map_err(|error| failed(doing, error))?;
        let sent = send(&mut own, doing, statement).await;
        // The statement is committed or refused already.
        drop(own);
        sent
    }
}

/// Above read committed a statement can lose against a concurrent one without having done anything,
/// and is then sent again.
async fn send<'q>(
    connection: &mut PgConnection,
    doing: &'static str,
    statement: impl Fn() -> Statement<'q>,
) -> Result<Held, StoreError> {
    let mut rounds = super::ROUNDS;
    loop {
        rounds -= 1;
        match bound(statement()).execute(&mut *connection).await {
            Ok(done) => return Ok(held(done.rows_affected())),
            Err(error) if rounds > 0 && is_conflict(&error) => {}
            Err(error) => return Err(failed(doing, error)),
        }
    }
}
