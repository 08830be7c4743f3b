//! Effects outside the database, beside their operation.

use idem_templates::sql::sqlite as files;
use sqlx::Row as _;

use super::tx::Writing;
use super::{SqliteStore, bound, failed, too_busy};
use crate::claim::Claim;
use crate::store::sql::statement::Statement;
use crate::store::{BegunEffect, EffectStore, Held, Request};
use crate::{Effect, StoreError};

/// What a handler with effects outside the database is given.
pub type Operation<'o> = crate::Operation<'o, super::Tx<'static>>;

impl EffectStore for SqliteStore {
    /// The database has one writer, and an open transaction of a handler is it.
    const BESIDE_TRANSACTION: bool = false;

    async fn effects(&self, request: &Request) -> Result<Vec<BegunEffect>, StoreError> {
        const DOING: &str = "reading an operation's effects";
        let mut connection = self.connection(DOING).await?;
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
        let of = |text| Statement::of_effect(text, request, claim, effect).lifetime(effect);
        self.transition(
            "beginning an effect",
            of(files::EFFECT_BEGIN),
            of(files::EFFECT_INSERT),
        )
        .await
    }

    async fn record_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
        result: &[u8],
    ) -> Result<Held, StoreError> {
        self.transition(
            "recording an effect",
            Statement::of_effect(files::EFFECT_END, request, claim, effect),
            Statement::of_effect(files::EFFECT_RECORD, request, claim, effect).result(result),
        )
        .await
    }

    async fn clear_effect(
        &self,
        request: &Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Result<Held, StoreError> {
        self.transition(
            "clearing an effect",
            Statement::of_effect(files::EFFECT_END, request, claim, effect),
            Statement::of_effect(files::EFFECT_CLEAR, request, claim, effect),
        )
        .await
    }
}

impl SqliteStore {
    /// Writes the operation's row and then the effect's, both or neither.
    async fn transition(
        &self,
        doing: &'static str,
        operation: Statement<'_>,
        effect: Statement<'_>,
    ) -> Result<Held, StoreError> {
        let fail = |error| failed(doing, error);
        let writer = self.inner.queue().await.ok_or_else(|| too_busy(doing))?;
        let connection = self.connection(doing).await?;
        let mut writing = Writing::begin(writer, connection, None)
            .await
            .map_err(fail)?;
        for statement in [operation, effect] {
            let done = bound(statement)
                .execute(writing.connection())
                .await
                .map_err(fail)?;
            if done.rows_affected() == 0 {
                writing.rollback().await.map_err(fail)?;
                return Ok(Held::Lost);
            }
        }
        writing.commit().await.map_err(fail)?;
        Ok(Held::Yes(()))
    }
}
