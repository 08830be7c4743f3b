//! Postgres over sqlx, in a database of its own on the given server.

use idem::postgres::{PostgresStore, Tx};
use idem_templates::sql::postgres as files;
use sha2::{Digest, Sha256};
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, Postgres, Row as _, SqlSafeStr};

use super::measure::{Measured, Numbers, measure as all};
use super::refund::{
    CONTRACT_DIGEST, FIELD_DIGESTS, LEASE_MS, Receipt, Refund, RefundError, WINDOW_MS, fresh,
    replayed,
};
use super::{FINISHED, Pattern, Plan, Subject, table};
use crate::Problem;
use crate::ratio::{Target, median, report};

const WRITE: &str = "insert into refunds (refund_id, order_id, amount) values ($1, $2, $3)";

/// Deliveries of one batch whose WAL is counted, and batches.
const WAL_BATCH: u32 = 200;
const WAL_BATCHES: usize = 5;

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
    store: PostgresStore,
    pool: PgPool,
}

/// Measures at 1, 8 and 32 clients.
pub(super) async fn measure(plan: Plan, url: &str) -> Result<(), Problem> {
    let options: PgConnectOptions = url.parse()?;
    let name = format!("idem_bench_{}", std::process::id());
    let mut admin = PgConnection::connect_with(&options).await?;
    sqlx::query(AssertSqlSafe(format!("create database {name}")))
        .execute(&mut admin)
        .await?;
    let pool = PgPoolOptions::new()
        .max_connections(32)
        // As the store's own pool does; the pool's ping would be a flight in every pattern.
        .test_before_acquire(false)
        .connect_with(options.database(&name))
        .await?;
    let done = measure_on(plan, &pool).await;
    pool.close().await;
    sqlx::query(AssertSqlSafe(format!("drop database {name}")))
        .execute(&mut admin)
        .await?;
    done
}

async fn measure_on(plan: Plan, pool: &PgPool) -> Result<(), Problem> {
    let store = PostgresStore::new(pool.clone());
    idem::Store::migrate(&store).await?;
    sqlx::query(
        "create table refunds (refund_id text primary key, order_id text not null, amount bigint not null)",
    )
    .execute(pool)
    .await?;
    let desk = Desk {
        store,
        pool: pool.clone(),
    };
    for number in 0..FINISHED {
        desk.serve(Pattern::ThroughMacro, number).await?;
    }
    let numbers = Numbers::from(FINISHED);
    for clients in [1, 8, 32] {
        let measured = all(&desk, &numbers, clients, plan).await?;
        table::absolute("Postgres", clients, &measured);
        judge(&measured, clients);
    }
    desk.wal(&numbers).await
}

fn judge(measured: &Measured, clients: usize) {
    use Pattern::{
        BareWrite, BeginWriteCommit, ByHand, KeySelect, ReplayByHand, ReplayThroughMacro,
        ThroughMacro, TwoCommits,
    };
    table::rate(measured, ThroughMacro, ByHand, Target::AtLeast(0.95));
    table::latency(measured, ThroughMacro, ByHand, Target::None);
    table::cpu(measured, ThroughMacro, ByHand, Target::AtMost(1.10));
    table::rate(
        measured,
        ReplayThroughMacro,
        ReplayByHand,
        Target::AtLeast(0.95),
    );
    table::rate(measured, ThroughMacro, TwoCommits, Target::AtLeast(1.1));
    let floor = if clients == 1 { 0.50 } else { 0.45 };
    table::rate(
        measured,
        ThroughMacro,
        BeginWriteCommit,
        Target::AtLeast(floor),
    );
    table::rate(measured, ThroughMacro, BareWrite, Target::None);
    table::latency(measured, ReplayThroughMacro, KeySelect, Target::AtMost(1.5));
    table::rate(
        measured,
        ReplayThroughMacro,
        KeySelect,
        Target::AtLeast(0.65),
    );
}

impl Subject for Desk {
    async fn serve(&self, pattern: Pattern, number: u64) -> Result<(), Problem> {
        let event = Refund::number(number);
        match pattern {
            Pattern::BareWrite => {
                write(&event).execute(&self.pool).await?;
            }
            Pattern::BeginWriteCommit => {
                let mut tx = self.pool.begin().await?;
                write(&event).execute(&mut *tx).await?;
                tx.commit().await?;
            }
            Pattern::TwoCommits => self.two_commits(&event).await?,
            Pattern::ByHand => self.by_hand(&event).await?,
            Pattern::ReplayByHand => {
                let mut connection = self.pool.acquire().await?;
                let row = sqlx::query(files::READ)
                    .bind(event.key())
                    .fetch_optional(&mut *connection)
                    .await?;
                let bytes = answer(row.as_ref(), &event)?.ok_or("no stored answer")?;
                let _receipt: Receipt = serde_json::from_slice(&bytes)?;
            }
            Pattern::ThroughMacro => fresh(refund(&self.store, &event).await?)?,
            Pattern::ReplayThroughMacro => replayed(refund(&self.store, &event).await?)?,
            Pattern::KeySelect => {
                sqlx::query("select amount from refunds where refund_id = $1")
                    .bind(&event.refund_id)
                    .fetch_one(&self.pool)
                    .await?;
            }
        }
        Ok(())
    }
}

type Statement<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;

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
        .bind(Some(event.tenant_id.clone()))
        .bind(event.request_hash())
        .bind(1_i64)
        .bind(FIELD_DIGESTS)
}

fn receipt(event: &Refund) -> Result<Vec<u8>, Problem> {
    let receipt = Receipt {
        refund_id: event.refund_id.clone(),
        amount: event.amount,
    };
    Ok(serde_json::to_vec(&receipt)?)
}

impl Desk {
    async fn by_hand(&self, event: &Refund) -> Result<(), Problem> {
        let key = event.key();
        let connection = self.pool.acquire().await?;
        let digest: [u8; 32] = Sha256::digest(key.as_bytes()).into();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        let begin = AssertSqlSafe(files::begin_fused(i64::from_be_bytes(first))).into_sql_str();
        let mut tx = sqlx::Transaction::<Postgres>::begin(connection, Some(begin)).await?;
        let row = sqlx::query(files::READ_FUSED)
            .bind(&key)
            .fetch_one(&mut *tx)
            .await?;
        if !row.try_get::<bool, _>(15)? || row.try_get::<Option<&str>, _>(1)?.is_some() {
            return Err("expected the key to be free".into());
        }
        write(event).execute(&mut *tx).await?;
        described(files::COMPLETE_FUSED, event)
            .bind(1_i64)
            .bind(1_i64)
            .bind("value")
            .bind(receipt(event)?)
            .bind(1_i64)
            .bind(WINDOW_MS)
            .bind(None::<i64>)
            .bind(None::<String>)
            .bind(false)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or("the key changed hands")?;
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
        let mut tx = self.pool.begin().await?;
        write(event).execute(&mut *tx).await?;
        sqlx::query(files::COMPLETE)
            .bind(event.key())
            .bind(1_i64)
            .bind("value")
            .bind(receipt(event)?)
            .bind(1_i64)
            .bind(WINDOW_MS)
            .bind(true)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or("the claim was lost")?;
        tx.commit().await?;
        Ok(())
    }

    /// Bytes of WAL a delivery, the middle of several batches: a checkpoint in between adds whole
    /// pages.
    async fn wal(&self, numbers: &Numbers) -> Result<(), Problem> {
        println!("Postgres, bytes of WAL a delivery:");
        let plain = self.wal_of(Pattern::BeginWriteCommit, numbers).await?;
        report(Pattern::BeginWriteCommit.name(), plain, Target::None);
        for (pattern, target) in [
            (Pattern::ThroughMacro, Target::AtMost(550.0)),
            (Pattern::TwoCommits, Target::AtMost(900.0)),
            (Pattern::ReplayThroughMacro, Target::AtMost(0.0)),
        ] {
            let bytes = self.wal_of(pattern, numbers).await?;
            let (what, bytes) = if pattern.repeats() {
                (pattern.name().to_owned(), bytes)
            } else {
                (format!("{}: more than that", pattern.name()), bytes - plain)
            };
            report(&what, bytes, target);
        }
        Ok(())
    }

    async fn wal_of(&self, pattern: Pattern, numbers: &Numbers) -> Result<f64, Problem> {
        let mut batches = Vec::new();
        for _ in 0..WAL_BATCHES {
            let before = self.written().await?;
            for at in 0..WAL_BATCH {
                let number = if pattern.repeats() {
                    u64::from(at)
                } else {
                    numbers.next()
                };
                self.serve(pattern, number).await?;
            }
            batches.push((self.written().await? - before) / f64::from(WAL_BATCH));
        }
        Ok(median(batches))
    }

    /// Bytes of WAL since the server was made.
    async fn written(&self) -> Result<f64, Problem> {
        let row = sqlx::query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8")
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get(0)?)
    }
}

/// The bytes of a finished row, refused when the request differs.
fn answer(row: Option<&PgRow>, event: &Refund) -> Result<Option<Vec<u8>>, Problem> {
    let Some(row) = row else {
        return Ok(None);
    };
    if row.try_get::<&[u8], _>(4)? != event.request_hash() {
        return Err("the key belongs to another request".into());
    }
    Ok(row.try_get(10)?)
}
