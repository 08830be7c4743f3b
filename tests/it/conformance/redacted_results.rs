//! Fields that the contract does not let us keep are not in the store, and not in a replay.

use idem::__private::{Opened, Settled, hash_finish, hasher, open};
use idem::store::Store;
use idem::{Error, Mode, Outcome, StoreErrorKind, Workflow};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::harness::{Harness, against_every_store, row};
use super::script::{MODES, Oops, key_of, workflow};

against_every_store! {
    a_redacted_field_is_neither_stored_nor_replayed,
    a_result_that_cannot_do_without_its_redacted_field_is_refused_at_once,
    a_result_of_which_nothing_is_kept_may_hold_anything,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Receipt {
    number: u128,
    reason: Option<String>,
    guests: Vec<Guest>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Guest {
    name: Option<String>,
    room: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Strict {
    reason: String,
}

async fn call<H: Harness, R: Clone + Serialize + DeserializeOwned>(
    h: &H,
    flow: &'static Workflow,
    id: &'static str,
    value: R,
) -> Result<Outcome<R>, Error<Oops>> {
    let hash = hash_finish(hasher(flow));
    let mut run = match open(h.store(), flow, None, Ok(key_of(flow, id)), hash).await {
        Opened::Run(run) => run,
        Opened::Answer(answer) => return answer,
    };
    loop {
        let (tx, guard) = run.parts();
        let handler = async {
            H::put(tx, id).await.map_err(|_| Oops::TryAgain)?;
            Ok(value.clone())
        };
        let driven = guard.drive(handler).await;
        match run.settle(driven).await {
            Settled::Done(answer) => return answer,
            Settled::Again(next) => run = next,
        }
    }
}

async fn a_redacted_field_is_neither_stored_nor_replayed<H: Harness>(h: &H) {
    let whole = Receipt {
        number: u128::MAX,
        reason: Some("ill".to_owned()),
        guests: vec![Guest {
            name: Some("Ada".to_owned()),
            room: 7,
        }],
    };
    let kept = Receipt {
        reason: None,
        guests: vec![Guest {
            name: None,
            room: 7,
        }],
        ..whole.clone()
    };
    for (mode, id) in [(Mode::Fused, "fused"), (Mode::Leased, "leased")] {
        let flow = workflow(mode, |w| w.redact(&["reason", "guests.name", "nowhere"]));
        let first = call(h, flow, id, whole.clone()).await.expect("it runs");
        let second = call(h, flow, id, whole.clone()).await.expect("it replays");
        assert!(!first.is_replay() && second.is_replay());
        let (first, second) = (
            first.answer().expect("an answer"),
            second.answer().expect("one"),
        );
        assert_eq!(first.value, whole);
        assert_eq!(second.value, kept);
        assert_eq!(first.bytes(), second.bytes());
        let stored = h.store().read(&key_of(flow, id)).await.expect("it answers");
        let stored = stored.expect("a row").expect("a whole one").result;
        let stored = String::from_utf8(stored.expect("a result").bytes).expect("text");
        assert_eq!(stored.as_bytes(), first.bytes());
        assert!(
            !stored.contains("ill") && !stored.contains("Ada"),
            "{stored}"
        );
        assert!(stored.contains(&u128::MAX.to_string()), "{stored}");
    }
}

async fn a_result_that_cannot_do_without_its_redacted_field_is_refused_at_once<H: Harness>(h: &H) {
    let strict = Strict {
        reason: "ill".to_owned(),
    };
    for mode in MODES {
        let id: &'static str = format!("{mode:?}").leak();
        let flow = workflow(mode, |w| w.redact(&["reason"]));
        let told = call(h, flow, id, strict.clone()).await;
        let Err(Error::Store(error)) = told else {
            panic!("{told:?}");
        };
        assert_eq!(error.kind(), StoreErrorKind::Permanent);
        let said = error.to_string();
        assert!(
            said.contains("`reason`") && said.contains("`Option`"),
            "{said}"
        );
        assert!(!said.contains("ill"), "{said}");
        let (status, attempt, _) = row(h.store(), &key_of(flow, id)).await.expect("counted");
        assert_eq!((status, attempt), ("failed", 1));
        assert_eq!(h.effects().await, 0);
    }
}

async fn a_result_of_which_nothing_is_kept_may_hold_anything<H: Harness>(h: &H) {
    let flow = workflow(Mode::Fused, |w| w.redact(&["reason"]).keep_tombstone());
    let strict = Strict {
        reason: "ill".to_owned(),
    };
    let first = call(h, flow, "one", strict.clone()).await.expect("it runs");
    assert!(matches!(first, Outcome::Fresh(_)), "{first:?}");
    let second = call(h, flow, "one", strict).await.expect("it is known");
    assert!(matches!(second, Outcome::Tombstone { .. }), "{second:?}");
}
