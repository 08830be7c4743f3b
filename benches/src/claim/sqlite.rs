//! Embedded SQLite: WAL, `synchronous = full`.

use idem::sqlite::{SqliteStore, Tx};
use idem_templates::sql::sqlite as files;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Row as _, Sqlite, SqlitePool};

use super::measure::{Measured, Numbers, measure as all};
use super::refund::{
    CONTRACT_DIGEST, FIELD_DIGESTS, LEASE_MS, Receipt, Refund, RefundError, WINDOW_MS, fresh,
    replayed,
};
use super::{FINISHED, Pattern, Plan, Subject, table};
use crate::Problem;
use crate::ratio::Target;

const WRITE: &str = "insert into refunds (refund_id, order_id, amount) values (?1, ?2, ?3)";

#[idem::idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> {
    sqlx::query(WRITE)
        .bind(&event.refund_id)
        .bind(&event.order_id)
        .bind(event.amount)
        .execute(&mut **tx)
        .await?;
    Ok(Receipt {
        refund_id: event.refund_id.clone(),
        amount: event.amount,
    })
}

#[derive(Clone)]
struct Desk {
    store: SqliteStore,
    pool: SqlitePool,
}

/// Measures at 1 and 8 clients, in a folder of its own below the build folder.
pub(super) async fn measure(plan: Plan) -> Result<(), Problem> {
    // Beside the program: on the disk that holds the project, where a commit waits for the disk.
    let program = std::env::current_exe()?;
    let folder = program.with_file_name(format!("idem-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let store = SqliteStore::open(folder.join("bench.db")).await?;
    idem::Store::migrate(&store).await?;
    let pool = store.pool().clone();
    sqlx::query("create table refunds (refund_id text primary key, order_id text not null, amount integer not null) strict")
        .execute(&pool)
        .await?;
    let desk = Desk { store, pool };
    for number in 0..FINISHED {
        desk.serve(Pattern::ThroughMacro, number).await?;
    }
    let numbers = Numbers::from(FINISHED);
    for clients in [1, 8] {
        let measured = all(&desk, &numbers, clients, plan).await?;
        table::absolute("SQLite", clients, &measured);
        judge(&measured);
    }
    desk.pool.close().await;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn judge(measured: &Measured) {
    use Pattern::{
        BareWrite, ByHand, KeySelect, ReplayByHand, ReplayThroughMacro, ThroughMacro, TwoCommits,
    };
    table::rate(measured, ThroughMacro, ByHand, Target::AtLeast(0.95));
    table::cpu(measured, ThroughMacro, ByHand, Target::AtMost(1.10));
    table::rate(
        measured,
        ReplayThroughMacro,
        ReplayByHand,
        Target::AtLeast(0.95),
    );
    table::rate(measured, ThroughMacro, BareWrite, Target::AtLeast(0.6));
    table::rate(measured, ThroughMacro, TwoCommits, Target::AtLeast(1.4));
    table::rate(
        measured,
        ReplayThroughMacro,
        BareWrite,
        Target::AtLeast(20.0),
    );
    table::latency(measured, ReplayThroughMacro, KeySelect, Target::AtMost(1.5));
}

impl Subject for Desk {
    async fn serve(&self, pattern: Pattern, number: u64) -> Result<(), Problem> {
        let event = Refund::number(number);
        match pattern {
            Pattern::BareWrite => {
                write(&event).execute(&self.pool).await?;
            }
            Pattern::BeginWriteCommit => {
                let mut tx = self.pool.begin_with(files::BEGIN).await?;
                write(&event).execute(&mut *tx).await?;
                tx.commit().await?;
            }
            Pattern::TwoCommits => self.two_commits(&event).await?,
            Pattern::ByHand => self.by_hand(&event).await?,
            Pattern::ReplayByHand => {
                let bytes = self.stored(&event).await?.ok_or("no stored answer")?;
                let _receipt: Receipt = serde_json::from_slice(&bytes)?;
            }
            Pattern::ThroughMacro => fresh(refund(&self.store, &event).await?)?,
            Pattern::ReplayThroughMacro => replayed(refund(&self.store, &event).await?)?,
            Pattern::KeySelect => {
                sqlx::query("select amount from refunds where refund_id = ?1")
                    .bind(&event.refund_id)
                    .fetch_one(&self.pool)
                    .await?;
            }
        }
        Ok(())
    }
}

type Statement<'q> = sqlx::query::Query<'q, Sqlite, SqliteArguments>;

fn write(event: &Refund) -> Statement<'_> {
    sqlx::query(WRITE)
        .bind(&event.refund_id)
        .bind(&event.order_id)
        .bind(event.amount)
}

/// Binds what both ways to write the row begin with.
fn described(statement: &'static str, event: &Refund) -> Statement<'static> {
    sqlx::query(statement)
        .bind(event.key())
        .bind("refund-order")
        .bind(1_i64)
        .bind(CONTRACT_DIGEST)
        .bind(None::<String>)
        .bind(event.request_hash())
        .bind(1_i64)
        .bind(FIELD_DIGESTS)
}

impl Desk {
    /// The stored answer, when the request is the same.
    async fn stored(&self, event: &Refund) -> Result<Option<Vec<u8>>, Problem> {
        let mut connection = self.pool.acquire().await?;
        let row = sqlx::query(files::READ)
            .bind(event.key())
            .fetch_optional(&mut *connection)
            .await?;
        answer(row.as_ref(), event)
    }

    async fn by_hand(&self, event: &Refund) -> Result<(), Problem> {
        if self.stored(event).await?.is_some() {
            return Err("expected nothing stored".into());
        }
        let mut tx = self.pool.begin_with(files::BEGIN).await?;
        let row = sqlx::query(files::READ)
            .bind(event.key())
            .fetch_optional(&mut *tx)
            .await?;
        if answer(row.as_ref(), event)?.is_some() {
            return Err("expected nothing stored".into());
        }
        write(event).execute(&mut *tx).await?;
        let receipt = Receipt {
            refund_id: event.refund_id.clone(),
            amount: event.amount,
        };
        let done = described(files::COMPLETE_FUSED, event)
            .bind(1_i64)
            .bind(1_i64)
            .bind("value")
            .bind(serde_json::to_vec(&receipt)?)
            .bind(1_i64)
            .bind(WINDOW_MS)
            .bind(None::<i64>)
            .bind(None::<String>)
            .fetch_optional(&mut *tx)
            .await?;
        done.ok_or("the key changed hands")?;
        tx.commit().await?;
        Ok(())
    }

    async fn two_commits(&self, event: &Refund) -> Result<(), Problem> {
        described(files::CLAIM, event)
            .bind(LEASE_MS)
            .bind(5_i64)
            .fetch_optional(&self.pool)
            .await?
            .ok_or("the claim was not won")?;
        let mut tx = self.pool.begin_with(files::BEGIN).await?;
        write(event).execute(&mut *tx).await?;
        let receipt = Receipt {
            refund_id: event.refund_id.clone(),
            amount: event.amount,
        };
        sqlx::query(files::COMPLETE)
            .bind(event.key())
            .bind(1_i64)
            .bind("value")
            .bind(serde_json::to_vec(&receipt)?)
            .bind(1_i64)
            .bind(WINDOW_MS)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or("the claim was lost")?;
        tx.commit().await?;
        Ok(())
    }
}

/// The bytes of a finished row, refused when the request differs.
fn answer(
    row: Option<&sqlx::sqlite::SqliteRow>,
    event: &Refund,
) -> Result<Option<Vec<u8>>, Problem> {
    let Some(row) = row else {
        return Ok(None);
    };
    if row.try_get::<&[u8], _>(4)? != event.request_hash() {
        return Err("the key belongs to another request".into());
    }
    Ok(row.try_get(10)?)
}
