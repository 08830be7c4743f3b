//! The drill of `idem-workflow`: its contract's promises, tried on the handler.
//!
//! Written by `idem generate drill`; with `--check` that command fails when the contract has changed
//! since. What the drill needs to know of this crate is in `idem_workflow_drill/setup.rs`.

#[path = "idem_workflow_drill/setup.rs"]
mod setup;

use idem::drill::{Child, Drill, Events, Kind, Seen, Subject, Trouble};

const EVENT: &str = r#"{}"#;

#[derive(Clone)]
struct IdemWorkflowDrill;

impl Subject for IdemWorkflowDrill {
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
        let events = events.idem_others()?;
        Ok(events)
    }

    fn attempts(&self) -> u32 {
        u32::MAX
    }
}

fn drill(kind: Kind) {
    let process = concat!(module_path!(), "::the_process_that_is_killed");
    let drill = Drill::of(IdemWorkflowDrill).child(Child::test(process));
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
    idem::drill::child(&IdemWorkflowDrill);
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

#[test]
fn old_recipe() {
    drill(Kind::OldRecipe);
}
