//! What the ledger says when all is over.

use std::collections::HashMap;
use std::fmt;

use sqlx::{PgPool, Row as _};

use super::{BRIEF_MS, Problem};

const TABLES: &str = include_str!("../../sql/tables.sql");
const TWICE: &str = include_str!("../../sql/twice.sql");
const LOST: &str = include_str!("../../sql/lost.sql");
const UNDONE: &str = include_str!("../../sql/undone.sql");
const DONE: &str = include_str!("../../sql/done.sql");
const DELETED_ALIVE: &str = include_str!("../../sql/deleted_alive.sql");
const RESULTS: &str = include_str!("../../sql/results.sql");

/// Makes the ledger, beside the claims.
pub(super) async fn prepare(pool: &PgPool) -> Result<(), Problem> {
    sqlx::raw_sql(TABLES).execute(pool).await?;
    Ok(())
}

/// What the driver knows.
pub(super) struct Known<'k> {
    /// Operations, numbered from 0, each answered.
    pub(super) operations: u64,
    /// Of those, with a long window.
    pub(super) long: u64,
    /// The result that callers of an operation with a long window were told first.
    pub(super) told: &'k HashMap<i64, i64>,
    /// Callers who were told two results for one operation.
    pub(super) two_results: u64,
}

/// What was found. All of it must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Operations with two effects within one window.
    pub twice: u64,
    /// Answered operations without an effect.
    pub lost: u64,
    /// Operations of a long window whose row is not done, or not there.
    pub undone: u64,
    /// Rows that were swept before their time.
    pub swept_alive: u64,
    /// Callers who were told a result that is not the committed one.
    pub told_wrong: u64,
}

impl Audit {
    /// Holds the ledger against what the driver knows.
    pub(super) async fn of(
        pool: &PgPool,
        known: &Known<'_>,
        claims: bool,
    ) -> Result<Self, Problem> {
        let count = async |text: &'static str| -> Result<u64, Problem> {
            let count: i64 = sqlx::query_scalar(text).fetch_one(pool).await?;
            Ok(count.unsigned_abs())
        };
        let twice: i64 = sqlx::query_scalar(TWICE)
            .bind(BRIEF_MS)
            .fetch_one(pool)
            .await?;
        let lost: i64 = sqlx::query_scalar(LOST)
            .bind(i64::try_from(known.operations)?)
            .fetch_one(pool)
            .await?;
        let mut told_wrong = known.two_results;
        for row in sqlx::query(RESULTS).fetch_all(pool).await? {
            let (operation, id): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            let told = known.told.get(&operation);
            told_wrong += u64::from(told.is_some_and(|told| *told != id));
        }
        let undone = if claims {
            count(UNDONE).await? + known.long.abs_diff(count(DONE).await?)
        } else {
            0
        };
        Ok(Self {
            twice: twice.unsigned_abs(),
            lost: lost.unsigned_abs(),
            undone,
            swept_alive: count(DELETED_ALIVE).await?,
            told_wrong,
        })
    }

    /// Whether every promise was kept.
    #[must_use]
    pub fn passed(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  effects twice within a window  {:>8}", self.twice)?;
        writeln!(f, "  effects lost                   {:>8}", self.lost)?;
        writeln!(f, "  keys that did not end as done  {:>8}", self.undone)?;
        writeln!(
            f,
            "  live rows swept                {:>8}",
            self.swept_alive
        )?;
        write!(f, "  callers told a wrong result    {:>8}", self.told_wrong)
    }
}
