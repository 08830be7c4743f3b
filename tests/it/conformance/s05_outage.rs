//! Sentence 5. When the store cannot be asked, `outage = "closed"` refuses the call; nothing runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem::{Error, Mode};

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    ; databases:
    a_closed_workflow_runs_nothing_when_the_store_cannot_be_asked,
    an_open_workflow_runs_without_protection_when_its_contract_says_so,
}

async fn a_closed_workflow_runs_nothing_when_the_store_cannot_be_asked<H: Harness>(h: &H) {
    h.sql("alter table processed_operations rename to elsewhere")
        .await;
    let runs = Arc::new(AtomicU32::new(0));
    for mode in MODES {
        let one = delivery(workflow(mode, |w| w), "one").then(Step::Count(Arc::clone(&runs)));
        let told = call::<H>(h.store(), &one).await;
        assert!(matches!(told, Err(Error::Store(_))), "{told:?}");
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    assert_eq!(h.effects().await, 0);
}

async fn an_open_workflow_runs_without_protection_when_its_contract_says_so<H: Harness>(h: &H) {
    h.sql("alter table processed_operations rename to elsewhere")
        .await;
    let open = workflow(Mode::Fused, |w| w.outage_open());
    let told = call::<H>(h.store(), &delivery(open, "one")).await;
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(h.effects().await, 1);
    let failing = delivery(open, "two").then(Step::Fail(Oops::TryAgain));
    let told = call::<H>(h.store(), &failing).await;
    assert!(
        matches!(told, Err(Error::Failed(Oops::TryAgain))),
        "{told:?}"
    );
    assert_eq!(h.effects().await, 1);
}
