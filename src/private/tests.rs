//! The expansion's shape, by hand, against the reference store.

use super::{Opened, Settled, finish, hash_finish, hasher, key, open, part};
use crate::memory::Tx;
use crate::{Error, Failure, FailureClass, MemoryStore, Outcome, Workflow};

#[derive(Debug, PartialEq)]
enum Refusal {
    NotPaid,
    Down,
}

impl Failure for Refusal {
    fn class(&self) -> FailureClass {
        match self {
            Self::NotPaid => FailureClass::Final,
            Self::Down => FailureClass::NoEffect,
        }
    }

    fn encode_final(&self) -> Option<Vec<u8>> {
        (*self == Self::NotPaid).then(|| b"\"NotPaid\"".to_vec())
    }

    fn decode_final(bytes: &[u8]) -> Option<Self> {
        (bytes == b"\"NotPaid\"").then_some(Self::NotPaid)
    }
}

static REFUND: Workflow = Workflow::new("refund", 1);

async fn handler(tx: &mut Tx<'_>, order: &str) -> Result<u64, Refusal> {
    tx.put(order, "refunded");
    tokio::task::yield_now().await;
    match order {
        "unpaid" => Err(Refusal::NotPaid),
        "down" if tx.attempt() == 1 => Err(Refusal::Down),
        _ => Ok(tx.fence().get()),
    }
}

/// What the attribute writes around the handler.
async fn refund(store: &MemoryStore, order: &str) -> Result<Outcome<u64>, Error<Refusal>> {
    let mut the_key = key(&REFUND);
    part(&mut the_key, order);
    let hash = hasher(&REFUND);
    let opened = open(store, &REFUND, None, finish(the_key), hash_finish(hash)).await;
    let mut run = match opened {
        Opened::Run(run) => run,
        Opened::Answer(answer) => return answer,
    };
    loop {
        let (tx, guard) = run.parts();
        let driven = guard.drive(handler(tx, order)).await;
        match run.settle(driven).await {
            Settled::Done(answer) => return answer,
            Settled::Again(next) => run = next,
        }
    }
}

#[tokio::test]
async fn an_expansion_is_a_future_that_may_move_between_threads() {
    let store = MemoryStore::new();
    let spawned = {
        let store = store.clone();
        tokio::spawn(async move { refund(&store, "o1").await })
    };
    let first = spawned.await.expect("the task ends").expect("it succeeds");
    assert!(matches!(&first, Outcome::Fresh(answer) if answer.value == 1));
    let second = refund(&store, "o1").await.expect("it replays");
    assert!(second.is_replay());
    assert_eq!(second.answer().map(|a| a.bytes()), Some(b"1".as_slice()));
    assert_eq!(store.values(), 1);
}

#[tokio::test]
async fn a_refusal_is_replayed_and_a_failure_is_not() {
    let store = MemoryStore::new();
    for replayed in [false, true] {
        let answer = refund(&store, "unpaid").await;
        assert!(
            matches!(&answer, Err(Error::Refused { error: Refusal::NotPaid, replayed: r, .. }) if *r == replayed),
            "{answer:?}"
        );
    }
    assert_eq!(store.values(), 0);
    let first = refund(&store, "down").await;
    assert!(
        matches!(first, Err(Error::Failed(Refusal::Down))),
        "{first:?}"
    );
    let second = refund(&store, "down").await.expect("the retry runs");
    assert!(matches!(second, Outcome::Fresh(answer) if answer.attempt() == 2 && answer.value == 2));
}
