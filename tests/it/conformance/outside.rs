//! Handlers with effects outside the store, and a world outside that remembers what was done to it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use idem::__private::{Opened, Settled, open};
use idem::store::Request;
use idem::{Effect, Mode, Operation, Workflow};
use tokio::sync::Notify;

use super::harness::{Outside, TxOf};
use super::script::{Oops, Told, request, workflow};

pub(crate) const REFUND: &str = "provider-refund";
pub(crate) const SHIP: &str = "warehouse-call";
pub(crate) const MAIL: &str = "receipt-mail";

/// A workflow over three systems.
pub(crate) fn three_systems(policy: impl FnOnce(Workflow) -> Workflow) -> &'static Workflow {
    workflow(Mode::Leased, |w| {
        policy(w.effects(
            const {
                &[
                    Effect::keyed_remote(REFUND)
                        .key_lifetime_ms(3_600_000)
                        .tries(2),
                    Effect::remote(SHIP),
                    Effect::irreversible(MAIL),
                ]
            },
        ))
    })
}

/// The same, in which no answer may take long.
pub(crate) fn impatient() -> &'static Workflow {
    workflow(Mode::Leased, |w| {
        w.effects(
            const {
                &[
                    Effect::keyed_remote(REFUND).timeout_ms(30).tries(3),
                    Effect::remote(SHIP).timeout_ms(30),
                    Effect::irreversible(MAIL).timeout_ms(30),
                ]
            },
        )
    })
}

/// What the world does with one call.
#[derive(Clone, Debug)]
pub(crate) enum Does {
    /// Nothing, and says so by an error of that kind.
    Refuses(Oops),
    /// The effect, but the answer is lost: an error of that kind.
    LosesTheAnswer(Oops),
    /// The effect, and never answers.
    NeverAnswers,
    /// The effect, and panics.
    Panics,
}

/// The world outside: which effects happened, with which key, and how often each was called.
#[derive(Clone, Default)]
pub(crate) struct World(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    calls: Vec<(String, String)>,
    happened: Vec<String>,
    next: VecDeque<(String, Does)>,
    begun: Arc<Notify>,
}

impl World {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next call of that effect goes like this.
    pub(crate) fn expect(&self, effect: &str, does: Does) {
        self.seen().next.push_back((effect.to_owned(), does));
    }

    /// How often an effect was called.
    pub(crate) fn calls(&self, effect: &str) -> usize {
        self.keys(effect).len()
    }

    /// The keys that an effect was called with.
    pub(crate) fn keys(&self, effect: &str) -> Vec<String> {
        let seen = self.seen();
        let of = seen.calls.iter().filter(|(called, _)| called == effect);
        of.map(|(_, key)| key.clone()).collect()
    }

    /// The effects that happened, in order.
    pub(crate) fn happened(&self) -> Vec<String> {
        self.seen().happened.clone()
    }

    /// Is notified when a call is under way that never answers.
    pub(crate) fn waiting(&self) -> Arc<Notify> {
        Arc::clone(&self.seen().begun)
    }

    pub(crate) async fn call(&self, effect: &str, key: &str) -> Result<String, Oops> {
        let does = {
            let mut seen = self.seen();
            seen.calls.push((effect.to_owned(), key.to_owned()));
            let at = seen.next.iter().position(|(next, _)| next == effect);
            let does = at.and_then(|at| seen.next.remove(at)).map(|(_, does)| does);
            if !matches!(does, Some(Does::Refuses(_))) {
                seen.happened.push(effect.to_owned());
            }
            if matches!(does, Some(Does::NeverAnswers)) {
                seen.begun.notify_one();
            }
            does
        };
        match does {
            None => Ok(format!("{effect} no. {}", self.calls(effect))),
            Some(Does::Refuses(oops) | Does::LosesTheAnswer(oops)) => Err(oops),
            Some(Does::NeverAnswers) => std::future::pending().await,
            Some(Does::Panics) => std::panic::panic_any("the provider's client panics"),
        }
    }
}

pub(crate) type Op<'o, H> = Operation<'o, TxOf<H>>;

/// Refunds, ships and mails, and writes what they said.
pub(crate) async fn handler<H: Outside>(
    op: &mut Op<'_, H>,
    world: &World,
    id: &str,
) -> Result<String, Oops> {
    let refund: String = op.step(REFUND, |key| world.call(REFUND, key)).await?;
    let shipped: String = op.remote(SHIP, || world.call(SHIP, "")).await?;
    let mailed: String = op.irreversible(MAIL, || world.call(MAIL, "")).await?;
    H::put(op.tx(), id).await.map_err(|_| Oops::TryAgain)?;
    Ok(format!("{refund}, {shipped}, {mailed}"))
}

/// Delivers once, to a handler that is given.
pub(crate) async fn deliver_to<H, F>(store: &H::Store, request: &Request, handler: F) -> Told
where
    H: Outside,
    F: AsyncFnOnce(&mut Op<'_, H>) -> Result<String, Oops>,
{
    let opened = open(
        store,
        request.workflow(),
        Some("acme"),
        Ok(request.key().clone()),
        Ok(request.fingerprint().clone()),
    )
    .await;
    let mut run = match opened {
        Opened::Run(run) => run,
        Opened::Answer(answer) => return answer,
    };
    let (mut op, guard) = run.operation();
    let driven = guard.drive(handler(&mut op)).await;
    drop(op);
    match run.settle(driven).await {
        Settled::Done(answer) => answer,
        Settled::Again(_) => panic!("only what is local alone is run again"),
    }
}

/// Delivers once.
pub(crate) async fn deliver<H: Outside>(
    store: &H::Store,
    flow: &'static Workflow,
    world: &World,
    id: &str,
) -> Told {
    let request = request(flow, id, "10");
    deliver_to::<H, _>(store, &request, async |op: &mut Op<'_, H>| {
        handler::<H>(op, world, id).await
    })
    .await
}

/// Delivers in a task of its own.
pub(crate) fn in_a_task<H: Outside>(
    store: &H::Store,
    flow: &'static Workflow,
    world: &World,
    id: &'static str,
) -> tokio::task::JoinHandle<Told> {
    let (store, world) = (store.clone(), world.clone());
    tokio::spawn(async move { deliver::<H>(&store, flow, &world, id).await })
}

pub(crate) const MINUTE: Duration = Duration::from_secs(60);
