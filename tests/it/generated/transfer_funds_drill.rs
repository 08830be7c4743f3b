//! The drill of `transfer-funds`: its contract's promises, tried on the handler.
//!
//! Written by `idem generate drill`; with `--check` that command fails when the contract has changed
//! since. What the drill needs to know of this crate is in `transfer_funds_drill/setup.rs`.

#[path = "transfer_funds_drill/setup.rs"]
mod setup;

use idem::drill::{Child, Drill, Events, Kind, Seen, Subject, Trouble};

const EVENT: &str = r#"{
  "tenant_id": "tenant_id_1",
  "transfer_id": "018f2a44-6f1d-7c3e-9a5b-000000000001",
  "from_wallet": "018f2a44-6f1d-7c3e-9a5b-000000000001",
  "to_wallet": "018f2a44-6f1d-7c3e-9a5b-000000000001",
  "amount": "12.50",
  "currency": "EUR",
  "memo": "memo_1"
}"#;

#[derive(Clone)]
struct TransferFundsDrill;

impl Subject for TransferFundsDrill {
    type Store = setup::Store;

    async fn prepare(&self, store: &setup::Store) -> Result<(), Trouble> {
        setup::prepare(store).await
    }

    async fn deliver(&self, store: &setup::Store, event: &[u8]) -> Seen {
        setup::deliver(store, event).await
    }

    async fn state(&self, store: &setup::Store) -> Result<String, Trouble> {
        setup::state(store).await
    }

    fn events(&self) -> Result<Events, Trouble> {
        let events = Events::of(EVENT)?;
        let events =
            events.other_body("from_wallet", r#""018f2a44-6f1d-7c3e-9a5b-000000000002""#)?;
        let events = events.must_differ("tenant_id", r#""tenant_id_2""#)?;
        let events =
            events.must_differ("transfer_id", r#""018f2a44-6f1d-7c3e-9a5b-000000000002""#)?;
        Ok(events)
    }

    fn attempts(&self) -> u32 {
        3
    }
}

fn drill(kind: Kind) {
    let process = concat!(module_path!(), "::the_process_that_is_killed");
    let drill = Drill::of(TransferFundsDrill).child(Child::test(process));
    let drill = match setup::url() {
        Some(url) => drill.at(url),
        None => drill,
    };
    let report = drill.run_only(&[kind]);
    assert!(report.passed(), "{report}");
}

/// Does nothing unless a drill started this process.
#[test]
fn the_process_that_is_killed() {
    idem::drill::child(&TransferFundsDrill);
}

#[test]
fn replay_back_to_back() {
    drill(Kind::ReplayBackToBack);
}

#[test]
fn replay_after_lease() {
    drill(Kind::ReplayAfterLease);
}

#[test]
fn kill_before_work() {
    drill(Kind::KillBeforeWork);
}

#[test]
fn kill_mid_work() {
    drill(Kind::KillMidWork);
}

#[test]
fn kill_before_commit() {
    drill(Kind::KillBeforeCommit);
}

#[test]
fn kill_after_commit() {
    drill(Kind::KillAfterCommit);
}

#[test]
fn race() {
    drill(Kind::Race);
}

#[test]
fn same_key_other_body() {
    drill(Kind::SameKeyOtherBody);
}

#[test]
fn must_differ() {
    drill(Kind::MustDiffer);
}
