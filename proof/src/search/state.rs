//! What there is at one moment: the store, the provider, and the workers.

use std::hash::{DefaultHasher, Hash, Hasher};

use idem::claim::{Claim, Status};

use super::case::Budget;

/// A row of `processed_operations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    pub(crate) status: Status,
    /// Ticks left.
    pub(crate) lease: u8,
    pub(crate) expired: bool,
    pub(crate) body: u8,
    pub(crate) attempt: u32,
    pub(crate) fence: idem::Fence,
}

/// The row of the outside effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Effect {
    pub(crate) done: bool,
    /// Ticks since it was first marked as begun.
    pub(crate) age: u8,
    pub(crate) fence: idem::Fence,
}

/// The other system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Provider {
    /// How often it has performed the effect.
    pub(crate) performed: u8,
    /// Ticks since it saw the key first; `None` when it does not know it, or no longer.
    pub(crate) remembers: Option<u8>,
}

/// What survives every crash of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct World {
    /// By key; the second is there for the twin whose key changes.
    pub(crate) rows: [Option<Record>; 2],
    pub(crate) effect: Option<Effect>,
    pub(crate) provider: Provider,
}

/// What a worker does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Read the row outside any transaction.
    Look,
    /// The same, once the answer would not be "busy" again.
    Wait,
    /// Begin the transaction and try the key's lock.
    Begin,
    /// Read the row in the transaction.
    ReadLocked,
    /// Claim the row by one conditional statement, committed at once.
    Claim,
    /// Mark the outside effect as begun, under the fence, committed at once.
    Begun,
    /// The second half of a mark that locks no row.
    BegunInsert,
    /// Call the provider; the own deadline is looked at in the same breath.
    Call,
    /// Record the call's result, under the fence, committed at once.
    Record,
    /// Write the local effect in the transaction.
    Write,
    /// Look at the own deadline.
    Check,
    /// Write the completion in the transaction, conditional on the claim.
    Complete,
    /// Commit.
    Commit,
    /// Record that the attempt failed or is ambiguous, conditional on the claim.
    Fail(Ending),
    /// Give the claim back, conditional on it.
    Release,
    /// Nothing: the caller has its answer, and the broker its acknowledgement.
    Told(Answer),
}

/// How an attempt that did not complete is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
    Failed,
    /// The same, and the provider said that it did nothing.
    Refused,
    Ambiguous,
}

/// A final answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Answer {
    Fresh,
    Replay,
    Mismatch,
    Ambiguous,
    Exhausted,
}

/// A connection's transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Session {
    /// It holds the key's lock.
    pub(crate) lock: bool,
    /// It has written the local effect.
    pub(crate) wrote: bool,
    /// It has written this row, and holds it until its end.
    pub(crate) pending: Option<Record>,
}

/// A process at work on a delivery, as far as it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hand {
    pub(crate) step: Step,
    pub(crate) body: u8,
    pub(crate) key: usize,
    /// Ticks left until the own deadline.
    pub(crate) deadline: u8,
    pub(crate) claim: Option<Claim>,
    pub(crate) session: Session,
}

impl Hand {
    /// A process that knows only its delivery.
    pub(crate) const fn fresh(body: u8, step: Step) -> Self {
        Self {
            step,
            body,
            key: 0,
            deadline: 0,
            claim: None,
            session: Session {
                lock: false,
                wrote: false,
                pending: None,
            },
        }
    }
}

/// A worker: one delivery, redelivered until it is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Worker {
    pub(crate) hand: Hand,
    /// A statement whose answer nobody awaits, which the store has yet to execute.
    pub(crate) late: Option<Hand>,
    /// Local effects that it has committed within the window.
    pub(crate) landed: u8,
}

/// A broken promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wrong {
    LocalTwice,
    KeyedTwice,
    IrreversibleTwice,
    RerunAfterIrreversible,
    FalseReplay,
    FalseFresh,
    FalseRefusal,
}

impl Wrong {
    pub(crate) const ALL: [Self; 7] = [
        Self::LocalTwice,
        Self::KeyedTwice,
        Self::IrreversibleTwice,
        Self::RerunAfterIrreversible,
        Self::FalseReplay,
        Self::FalseFresh,
        Self::FalseRefusal,
    ];

    /// The promise, as one reads it in a report.
    pub(crate) const fn promise(self) -> &'static str {
        match self {
            Self::LocalTwice => "a local effect is committed once within its window",
            Self::KeyedTwice => "a keyed effect happens once at the provider",
            Self::IrreversibleTwice => "an irreversible effect is performed once",
            Self::RerunAfterIrreversible => {
                "nothing is run again silently once an irreversible effect had begun"
            }
            Self::FalseReplay => "what is replayed was committed, for this request",
            Self::FalseFresh => "whoever is told of fresh work finds it committed",
            Self::FalseRefusal => "nobody is refused without a cause",
        }
    }
}

/// One moment of one schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) workers: Vec<Worker>,
    pub(crate) left: Budget,
    /// The first promise that was broken; nothing is searched behind it.
    pub(crate) wrong: Option<Wrong>,
}

/// Workers have no names: two states that differ in who is who are one.
impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut workers: Vec<u64> = self
            .workers
            .iter()
            .map(|worker| {
                let mut hasher = DefaultHasher::new();
                worker.hash(&mut hasher);
                hasher.finish()
            })
            .collect();
        workers.sort_unstable();
        (workers, &self.world, self.left, self.wrong).hash(state);
    }
}

impl State {
    /// Whether everybody has an answer and nothing is under way.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.workers
            .iter()
            .all(|worker| matches!(worker.hand.step, Step::Told(_)) && worker.late.is_none())
    }

    /// Local effects within the window.
    pub(crate) fn landed(&self) -> u8 {
        self.workers.iter().map(|worker| worker.landed).sum()
    }
}
