//! Handlers as data, and the expansion's shape around them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use idem::__private::{
    Opened, Settled, finish, hash_field, hash_finish, hasher, key, open_request, part,
};
use idem::store::{Request, Transaction as _};
use idem::{Error, Failure, FailureClass, FieldType, Fingerprint, Key, Mode, Outcome, Workflow};
use tokio::sync::Notify;

use super::harness::{Harness, TxOf};

/// One step of a handler.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Writes a business row of that name.
    Put(&'static str),
    /// Sends statements through the transaction, and fails where they do.
    Sql(&'static str),
    /// Sends statements through the transaction, and goes on where they fail.
    TrySql(&'static str),
    /// Tells a test that the handler has come this far.
    Tell(Arc<Notify>),
    /// Waits until a test says so.
    Await(Arc<Notify>),
    /// Counts the runs.
    Count(Arc<AtomicU32>),
    /// Never ends.
    Hang,
    Fail(Oops),
    /// Fails on the first attempt only.
    FailFirst(Oops),
    Panic,
}

/// A handler's error, of every class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oops {
    TryAgain,
    NotPaid,
    WhoKnows,
}

impl std::fmt::Display for Oops {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Oops {}

impl Failure for Oops {
    fn class(&self) -> FailureClass {
        match self {
            Self::TryAgain => FailureClass::NoEffect,
            Self::NotPaid => FailureClass::Final,
            Self::WhoKnows => FailureClass::Unknown,
        }
    }
    fn encode_final(&self) -> Option<Vec<u8>> {
        (*self == Self::NotPaid).then(|| br#"{"variant":"NotPaid"}"#.to_vec())
    }
    fn decode_final(bytes: &[u8]) -> Option<Self> {
        (bytes == br#"{"variant":"NotPaid"}"#).then_some(Self::NotPaid)
    }
}

pub(crate) type Told = Result<Outcome<String>, Error<Oops>>;

/// A workflow for one test.
pub(crate) fn workflow(mode: Mode, policy: impl FnOnce(Workflow) -> Workflow) -> &'static Workflow {
    let plain = Workflow::new("conformance", 1)
        .mode(mode)
        .lease_ms(60_000)
        .window_ms(3_600_000);
    Box::leak(Box::new(policy(plain)))
}

pub(crate) const MODES: [Mode; 2] = [Mode::Fused, Mode::Leased];

/// The key that [`call`] makes of an id.
pub(crate) fn key_of(workflow: &'static Workflow, id: &str) -> Key {
    let mut builder = key(workflow);
    part(&mut builder, id);
    finish(builder).expect("the id makes a key")
}

fn fingerprint(workflow: &'static Workflow, body: &str) -> Fingerprint {
    let mut hash = hasher(workflow);
    hash_field(&mut hash, "amount", FieldType::String, body);
    hash_field(&mut hash, "currency", FieldType::String, "EUR");
    hash_finish(hash).expect("the body makes a hash")
}

pub(crate) fn request(workflow: &'static Workflow, id: &str, body: &str) -> Request {
    Request::new(workflow, key_of(workflow, id), fingerprint(workflow, body))
}

/// A delivery: the operation it is, its body, and what the handler does.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) workflow: &'static Workflow,
    pub(crate) id: String,
    pub(crate) body: &'static str,
    pub(crate) steps: Vec<Step>,
    /// The operation's keys under previous recipes, and until when they count.
    pub(crate) previous: Vec<(Key, SystemTime)>,
}

/// A delivery of that id whose handler writes a business row named by the id, and no more.
pub(crate) fn delivery(workflow: &'static Workflow, id: &'static str) -> Delivery {
    Delivery {
        workflow,
        id: id.to_owned(),
        body: "10",
        steps: vec![Step::Put(id)],
        previous: Vec::new(),
    }
}

impl Delivery {
    pub(crate) fn body(mut self, body: &'static str) -> Self {
        self.body = body;
        self
    }

    /// Then does that.
    pub(crate) fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Does only that.
    pub(crate) fn only(mut self, steps: impl Into<Vec<Step>>) -> Self {
        self.steps = steps.into();
        self
    }

    pub(crate) fn key(&self) -> Key {
        key_of(self.workflow, &self.id)
    }
}

async fn handler<H: Harness>(tx: &mut TxOf<H>, delivery: &Delivery) -> Result<String, Oops> {
    let attempt = tx.attempt();
    for step in &delivery.steps {
        match step {
            Step::Put(name) => H::put(tx, name).await.map_err(|_| Oops::TryAgain)?,
            Step::Sql(text) => H::send(tx, text).await.map_err(|_| Oops::TryAgain)?,
            Step::TrySql(text) => drop(H::send(tx, text).await),
            Step::Tell(notify) => notify.notify_one(),
            Step::Await(notify) => notify.notified().await,
            Step::Count(count) => drop(count.fetch_add(1, Ordering::SeqCst)),
            Step::Hang => std::future::pending().await,
            Step::Fail(oops) => return Err(*oops),
            Step::FailFirst(oops) if attempt == 1 => return Err(*oops),
            Step::FailFirst(_) => {}
            Step::Panic => std::panic::panic_any("the handler's own panic"),
        }
    }
    Ok(format!("{} done", delivery.id))
}

/// Delivers once: what the attribute writes around a handler.
pub(crate) async fn call<H: Harness>(store: &H::Store, delivery: &Delivery) -> Told {
    let asked = request(delivery.workflow, &delivery.id, delivery.body).tenant("acme");
    let asked = delivery.previous.iter().fold(asked, |asked, (key, until)| {
        asked.previous(key.clone(), *until)
    });
    let opened = open_request(store, delivery.workflow, Ok(asked)).await;
    let mut run = match opened {
        Opened::Run(run) => run,
        Opened::Answer(answer) => return answer,
    };
    loop {
        let (tx, guard) = run.parts();
        let driven = guard.drive(handler::<H>(tx, delivery)).await;
        match run.settle(driven).await {
            Settled::Done(answer) => return answer,
            Settled::Again(next) => run = next,
        }
    }
}

/// Delivers in a task of its own.
pub(crate) fn spawn<H: Harness>(
    store: &H::Store,
    delivery: &Delivery,
) -> tokio::task::JoinHandle<Told> {
    let (store, delivery) = (store.clone(), delivery.clone());
    tokio::spawn(async move { call::<H>(&store, &delivery).await })
}

/// Delivers again and again while the key is busy: what a broker does.
pub(crate) async fn until_told<H: Harness>(store: &H::Store, delivery: &Delivery) -> Told {
    for _ in 0..20_000 {
        match call::<H>(store, delivery).await {
            Ok(Outcome::Busy { .. }) => tokio::task::yield_now().await,
            told => return told,
        }
    }
    panic!("the key of {} stays busy", delivery.id)
}

pub(crate) fn is_fresh(told: &Told) -> bool {
    matches!(told, Ok(Outcome::Fresh(_)))
}

pub(crate) fn is_replay(told: &Told) -> bool {
    matches!(told, Ok(Outcome::Replay(_)))
}

pub(crate) fn is_busy(told: &Told) -> bool {
    matches!(told, Ok(Outcome::Busy { .. }))
}
