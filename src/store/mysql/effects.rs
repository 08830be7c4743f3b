//! Effects outside the database, beside their operation.

use std::time::Duration;

use idem_templates::sql::{Numbered, mysql as files};
use sqlx::{ConnectOptions as _, Row as _};

use super::errors::{failed, is_conflict};
use super::session::together;
use super::statements::of_key;
use super::{MysqlStore, ROUNDS};
use crate::claim::Claim;
use crate::store::sql::statement::Statement;
use crate::store::{BegunEffect, EffectStore, Held, Request};
use crate::{Effect, StoreError};

/// How long a transition waits for a connection of the pool before it opens one of its own: longer
/// than any statement takes, and short beside a call to a provider. Waiting longer might be for a
/// connection that the caller's own transaction holds.
const PATIENCE: Duration = Duration::from_millis(250);

impl EffectStore for MysqlStore {
    const BESIDE_TRANSACTION: bool = true;

    async fn effects(&self, request: &Request) -> Result<Vec<BegunEffect>, StoreError> {
        const DOING: &str = "reading an operation's effects";
        let mut session = self.live(DOING).await?;
        let rows = of_key(&files::EFFECT_READ, request.key())
            .fetch_all(session.asking())
            .await;
        session
            .answered(rows)
            .and_then(|rows| {
                rows.iter()
                    .map(|row| {
                        Ok(BegunEffect {
                            effect: row.try_get(0)?,
                            result: row.try_get(1)?,
                        })
                    })
                    .collect()
            })
            .map_err(|error| failed(DOING, error))
    }

    async fn begin_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        let of = |text| Statement::of_effect(text, request, claim, effect).lifetime(effect);
        let statements = [of(&files::EFFECT_BEGIN), of(&files::EFFECT_INSERT)];
        self.transition("beginning an effect", &statements).await
    }

    async fn record_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
        result: &[u8],
    ) -> Result<Held, StoreError> {
        let of = |text| Statement::of_effect(text, request, claim, effect);
        let recorded = of(&files::EFFECT_RECORD).result(result);
        let statements = [of(&files::EFFECT_END), recorded];
        self.transition("recording an effect", &statements).await
    }

    async fn clear_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        let of = |text| Statement::of_effect(text, request, claim, effect);
        let statements = [of(&files::EFFECT_END), of(&files::EFFECT_CLEAR)];
        self.transition("clearing an effect", &statements).await
    }
}

impl MysqlStore {
    /// Writes the operation's row and then the effect's, both or neither, and never waits for a
    /// connection that this call holds. A transition that lost against a concurrent one did nothing,
    /// and is tried again.
    async fn transition(
        &self,
        doing: &'static str,
        statements: &[Statement<'_, &'static Numbered>; 2],
    ) -> Result<Held, StoreError> {
        let mut rounds = ROUNDS;
        loop {
            rounds -= 1;
            match self.transition_once(doing, statements).await? {
                Ok(held) => return Ok(held),
                Err(error) if rounds > 0 && is_conflict(&error) => {}
                Err(error) => return Err(failed(doing, error)),
            }
        }
    }

    async fn transition_once(
        &self,
        doing: &'static str,
        statements: &[Statement<'_, &'static Numbered>; 2],
    ) -> Result<Result<Held, sqlx::Error>, StoreError> {
        if let Ok(session) = tokio::time::timeout(PATIENCE, self.live(doing)).await {
            let mut session = session?;
            // After an error the session is closed, which is a rollback.
            return Ok(match together(session.asking(), statements).await {
                Ok(held) => session.answered(Ok(held)),
                Err(error) => Err(error),
            });
        }
        let options = self.pool.connect_options();
        let mut own = options
            .connect()
            .await
            .map_err(|error| failed(doing, error))?;
        // Dropped, it is closed, and what is not committed is rolled back.
        Ok(together(&mut own, statements).await)
    }
}
