//! A drill proves that it can fail: the same drills, on protocols that are broken in one place.
//!
//! The protocol is written by hand, as one finds it in services: claim a row, do the work, complete
//! it. Whole, it passes every drill. Each twin leaves out one thing, and the drills named beside it
//! must catch it.

use std::marker::PhantomData;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::child::Child;
use super::events::Events;
use super::kind::Kind;
use super::report::Report;
use super::scratch::effects;
use super::seen::Seen;
use super::store::{Age, Aged, DrillStore, Record, change, records};
use super::subject::{Subject, Trouble};
use super::{Drill, report};
use crate::Point;
use crate::edge::Verdict;

/// What a twin does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Twin {
    /// The work is done on every delivery.
    NoClaim,
    /// It looks for the key, works, and inserts the key then.
    CheckThenInsert,
    /// It works and commits, and claims the key afterwards.
    ClaimAfterEffect,
    /// The work is committed in one transaction, the completion in the next.
    TwoTransactions,
    /// The completion does not ask whose claim it is.
    UnfencedCompletion,
    /// A key that is known is replayed, whatever the request says.
    HashIgnored,
    /// The current time is a part of the key.
    ClockInKey,
}

impl Twin {
    /// Every twin.
    pub const ALL: [Self; 7] = [
        Self::NoClaim,
        Self::CheckThenInsert,
        Self::ClaimAfterEffect,
        Self::TwoTransactions,
        Self::UnfencedCompletion,
        Self::HashIgnored,
        Self::ClockInKey,
    ];

    /// The twin's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoClaim => "no claim",
            Self::CheckThenInsert => "check then insert",
            Self::ClaimAfterEffect => "claim after the effect",
            Self::TwoTransactions => "two transactions",
            Self::UnfencedCompletion => "unfenced completion",
            Self::HashIgnored => "hash ignored",
            Self::ClockInKey => "clock in the key",
        }
    }

    /// The drills that can catch it.
    #[must_use]
    pub const fn caught_by(self) -> &'static [Kind] {
        match self {
            Self::NoClaim => &[Kind::ReplayBackToBack, Kind::KillAfterCommit, Kind::Race],
            Self::CheckThenInsert => &[Kind::Race],
            Self::ClaimAfterEffect | Self::TwoTransactions => &[Kind::KillBeforeCommit],
            Self::UnfencedCompletion => &[Kind::ReplayAfterLease],
            Self::HashIgnored => &[Kind::SameKeyOtherBody],
            Self::ClockInKey => &[Kind::ReplayBackToBack, Kind::KillAfterCommit],
        }
    }
}

/// What became of the twins.
#[derive(Clone, Debug)]
pub struct TwinReport {
    /// Each twin, with the drills that were tried on it.
    pub twins: Vec<(Twin, Report)>,
}

impl TwinReport {
    /// How many twins every drill tried on them has caught.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.twins
            .iter()
            .filter(|(twin, report)| report.failed() == twin.caught_by())
            .count()
    }

    /// Whether none went through.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.caught() == self.twins.len()
    }
}

impl std::fmt::Display for TwinReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} of {} broken twins caught",
            self.caught(),
            self.twins.len()
        )?;
        for (twin, report) in &self.twins {
            for drill in &report.drills {
                let caught = report.failed().contains(&drill.kind);
                let word = if caught { "caught" } else { "MISSED" };
                writeln!(f, "{word}   {:<24} by {}", twin.name(), drill.kind)?;
            }
        }
        Ok(())
    }
}

/// Runs the drills that can catch each twin, on a store at that address. The child process must
/// call [`child_of`](super::child_of) with [`TwinSubject::named`].
#[must_use]
pub fn twins<S: DrillStore>(url: Option<&str>, child: &Child) -> TwinReport {
    let twins = Twin::ALL.into_iter().map(|twin| {
        let drill = Drill {
            subject: TwinSubject::<S>::broken(twin),
            url: url.map(str::to_owned),
            child: Some(child.clone()),
        };
        (twin, drill.run_only(twin.caught_by()))
    });
    TwinReport {
        twins: twins.collect(),
    }
}

/// The hand-written protocol, whole or broken in one place.
#[derive(Debug)]
pub struct TwinSubject<S> {
    broken: Option<Twin>,
    _store: PhantomData<fn() -> S>,
}

impl<S> Clone for TwinSubject<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for TwinSubject<S> {}

impl<S> TwinSubject<S> {
    /// The protocol as it should be.
    #[must_use]
    pub const fn whole() -> Self {
        Self {
            broken: None,
            _store: PhantomData,
        }
    }

    /// The protocol without that.
    #[must_use]
    pub const fn broken(twin: Twin) -> Self {
        Self {
            broken: Some(twin),
            _store: PhantomData,
        }
    }

    /// The subject of that name, in a child process.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.strip_prefix("twin: ")? {
            "none" => Some(Self::whole()),
            name => Twin::ALL
                .into_iter()
                .find(|twin| twin.name() == name)
                .map(Self::broken),
        }
    }

    fn is(&self, twin: Twin) -> bool {
        self.broken == Some(twin)
    }

    fn key_of(&self, event: &Value) -> String {
        let key = format!("twin:v1:{}:{}", event["tenant_id"], event["id"]);
        if self.is(Twin::ClockInKey) {
            let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
            format!("{key}:{}", now.as_nanos())
        } else {
            key
        }
    }
}

/// What is known of a key.
struct Row {
    status: String,
    request: String,
    lease_over: bool,
}

impl<S: DrillStore> TwinSubject<S> {
    async fn attempt(&self, store: &S, event: &Value) -> Result<Verdict, sqlx::Error> {
        let (key, request) = (self.key_of(event), event["amount"].to_string());
        let texts = [key.as_str(), request.as_str()];
        if self.is(Twin::NoClaim) {
            return self.work(store, event, None).await;
        }
        let row = read(store, &key).await?;
        if let Some(told) = row.and_then(|row| self.told(&row, &request)) {
            return Ok(told);
        }
        if self.is(Twin::CheckThenInsert) {
            return self
                .work(store, event, Some((S::STATEMENTS.twin_insert_done, &texts)))
                .await;
        }
        if self.is(Twin::ClaimAfterEffect) {
            store.observe(Point::Claimed);
            let mut transaction = store.unclaimed().await?;
            perform::<S>(&mut transaction, event).await?;
            transaction.commit().await?;
            store.observe(Point::BeforeCommit);
            let mut transaction = store.unclaimed().await?;
            S::execute(&mut transaction, S::STATEMENTS.twin_insert_done, &texts).await?;
            transaction.commit().await?;
            return Ok(Verdict::Fresh);
        }
        let mut transaction = store.unclaimed().await?;
        let won = S::fetch(&mut transaction, S::STATEMENTS.twin_claim, &texts).await?;
        transaction.commit().await?;
        let Some(fence) = won.into_iter().flatten().next() else {
            return Ok(busy());
        };
        if self.is(Twin::TwoTransactions) {
            store.observe(Point::Claimed);
            let mut transaction = store.unclaimed().await?;
            perform::<S>(&mut transaction, event).await?;
            transaction.commit().await?;
            store.observe(Point::BeforeCommit);
            let mut transaction = store.unclaimed().await?;
            S::execute(
                &mut transaction,
                S::STATEMENTS.twin_complete,
                &[&key, &fence],
            )
            .await?;
            transaction.commit().await?;
            return Ok(Verdict::Fresh);
        }
        let completion: (_, &[&str]) = if self.is(Twin::UnfencedCompletion) {
            (S::STATEMENTS.twin_complete_unfenced, &[&key])
        } else {
            (S::STATEMENTS.twin_complete, &[&key, &fence])
        };
        self.work(store, event, Some(completion)).await
    }

    /// Work and, in the same transaction, a statement that must change a row.
    async fn work(
        &self,
        store: &S,
        event: &Value,
        completion: Option<(&'static str, &[&str])>,
    ) -> Result<Verdict, sqlx::Error> {
        store.observe(Point::Claimed);
        let mut transaction = store.unclaimed().await?;
        perform::<S>(&mut transaction, event).await?;
        store.observe(Point::HandlerDone);
        if let Some((statement, texts)) = completion
            && S::execute(&mut transaction, statement, texts).await? == 0
            && !self.is(Twin::CheckThenInsert)
        {
            transaction.rollback().await?;
            return Ok(Verdict::Fenced);
        }
        store.observe(Point::BeforeCommit);
        transaction.commit().await?;
        store.observe(Point::AfterCommit);
        Ok(Verdict::Fresh)
    }

    /// What a row says to a delivery; `None` when it may be claimed.
    fn told(&self, row: &Row, request: &str) -> Option<Verdict> {
        if row.request != request && !self.is(Twin::HashIgnored) {
            return Some(Verdict::Mismatch);
        }
        match row.status.as_str() {
            "done" => Some(Verdict::Replay),
            "in_flight" if !row.lease_over => Some(busy()),
            _ => None,
        }
    }
}

fn busy() -> Verdict {
    Verdict::Busy {
        retry_after: Duration::from_secs(1),
    }
}

async fn read<S: DrillStore>(store: &S, key: &str) -> Result<Option<Row>, sqlx::Error> {
    let mut transaction = store.unclaimed().await?;
    let rows = S::fetch(&mut transaction, S::STATEMENTS.twin_read, &[key]).await?;
    transaction.rollback().await?;
    let row = rows.into_iter().next();
    Ok(row.and_then(|row| <[String; 3]>::try_from(row).ok()).map(
        |[status, request, lease_over]| Row {
            status,
            request,
            lease_over: lease_over == "1",
        },
    ))
}

async fn perform<S: DrillStore>(
    transaction: &mut sqlx::Transaction<'static, S::Driver>,
    event: &Value,
) -> Result<(), sqlx::Error> {
    let texts = ["work", &event.to_string()];
    S::execute(transaction, S::STATEMENTS.effect, &texts).await?;
    Ok(())
}

impl<S: DrillStore> Subject for TwinSubject<S> {
    type Store = S;

    async fn prepare(&self, store: &S) -> Result<(), Trouble> {
        change(store, S::STATEMENTS.effects_table).await?;
        change(store, S::STATEMENTS.twin_table).await?;
        Ok(())
    }

    async fn deliver(&self, store: &S, event: &[u8]) -> Seen {
        let event: Value = match serde_json::from_slice(event) {
            Ok(event) => event,
            Err(error) => return Seen::unreadable(&error),
        };
        let attempt = self.attempt(store, &event).await;
        let note = match &attempt {
            Ok(Verdict::Mismatch) => "amount".to_owned(),
            Ok(_) => String::new(),
            Err(error) => report::chain(error),
        };
        Seen {
            verdict: attempt.unwrap_or_else(|error| {
                if S::is_writer_held(&error) {
                    busy()
                } else {
                    Verdict::StoreUnavailable
                }
            }),
            bytes: None,
            note,
        }
    }

    async fn state(&self, store: &S) -> Result<String, Trouble> {
        effects(store).await
    }

    fn events(&self) -> Result<Events, Trouble> {
        Events::of(r#"{"tenant_id": "acme", "id": "r_1", "amount": 1250}"#)?
            .other_body("amount", "1300")?
            .must_differ("tenant_id", r#""globex""#)?
            .must_differ("id", r#""r_2""#)
    }

    fn name(&self) -> String {
        format!("twin: {}", self.broken.map_or("none", Twin::name))
    }

    async fn records(&self, store: &S) -> Result<Vec<Record>, Trouble> {
        records(store, S::STATEMENTS.twin_records).await
    }

    async fn age(&self, store: &S, age: Age) -> Result<Aged, Trouble> {
        let statement = match age {
            Age::EndLeases => S::STATEMENTS.twin_end_leases,
            Age::Expire => S::STATEMENTS.twin_expire,
            Age::Fail => S::STATEMENTS.twin_fail,
        };
        change(store, statement).await
    }
}
