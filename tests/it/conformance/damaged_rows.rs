//! Rows that no version of this library writes: each is reported as what it is, and nothing runs.

use idem::{Error, Mode, StoredErrorKind};

use super::harness::{Harness, Speaks, against_every_store};
use super::script::*;

against_every_store! {
    ; databases:
    a_status_of_another_version_is_refused,
    a_done_row_without_a_result_is_corrupt_and_says_so,
    a_truncated_row_is_refused,
    a_row_of_another_workflow_is_refused,
    a_hash_of_another_recipe_is_not_compared,
    the_table_itself_refuses_such_rows,
    an_effect_that_had_begun_is_never_silently_rerun,
}

/// Stores a done row, then lets `damage` at it with the table's own rules switched off.
async fn damaged<H: Harness>(
    h: &H,
    sqlite: &'static str,
    postgres: &'static str,
) -> StoredErrorKind {
    let one = delivery(workflow(Mode::Fused, |w| w), "one").only([]);
    assert!(is_fresh(&call::<H>(h.store(), &one).await));
    let damage = if H::SPEAKS == Speaks::Sqlite {
        sqlite
    } else {
        postgres
    };
    h.sql(damage).await;
    let mut kinds = Vec::new();
    for mode in MODES {
        let again = delivery(workflow(mode, |w| w), "one");
        let told = call::<H>(h.store(), &again).await;
        let Err(Error::Stored(error)) = told else {
            panic!("{told:?}");
        };
        assert!(error.to_string().contains("conformance:v1:one"), "{error}");
        kinds.push(error.kind().clone());
    }
    assert_eq!(h.effects().await, 0);
    assert_eq!(kinds[0], kinds[1]);
    kinds.remove(0)
}

async fn a_status_of_another_version_is_refused<H: Harness>(h: &H) {
    let kind = damaged(
        h,
        "pragma ignore_check_constraints = on;
         update processed_operations set status = 'parked';
         pragma ignore_check_constraints = off;",
        "alter table processed_operations drop constraint status_is_a_known_word;
         alter table processed_operations drop constraint only_a_done_row_has_a_result;
         alter table processed_operations drop constraint an_unfinished_row_never_expires;
         update processed_operations set status = 'parked';",
    )
    .await;
    assert_eq!(
        kind,
        StoredErrorKind::UnknownStatus {
            status: "parked".to_owned()
        }
    );
}

async fn a_done_row_without_a_result_is_corrupt_and_says_so<H: Harness>(h: &H) {
    let kind = damaged(
        h,
        "pragma ignore_check_constraints = on;
         update processed_operations set response = null;
         pragma ignore_check_constraints = off;",
        "alter table processed_operations
            drop constraint a_result_is_bytes_with_a_version_or_a_tombstone;
         update processed_operations set response = null;",
    )
    .await;
    assert_eq!(kind, StoredErrorKind::MissingResult);
}

async fn a_truncated_row_is_refused<H: Harness>(h: &H) {
    let kind = damaged(
        h,
        "pragma ignore_check_constraints = on;
         update processed_operations set request_hash = substr(request_hash, 1, 7);
         pragma ignore_check_constraints = off;",
        "alter table processed_operations drop constraint request_hash_is_a_sha256;
         update processed_operations set request_hash = substr(request_hash, 1, 7);",
    )
    .await;
    assert_eq!(
        kind,
        StoredErrorKind::BadColumn {
            column: "request_hash"
        }
    );
}

async fn a_row_of_another_workflow_is_refused<H: Harness>(h: &H) {
    let other = "update processed_operations set workflow = 'somebody-elses'";
    let kind = damaged(h, other, other).await;
    let stored = "somebody-elses".to_owned();
    assert_eq!(kind, StoredErrorKind::OtherWorkflow { stored });
}

async fn a_hash_of_another_recipe_is_not_compared<H: Harness>(h: &H) {
    let other = "update processed_operations set hash_recipe = 9";
    let kind = damaged(h, other, other).await;
    assert_eq!(
        kind,
        StoredErrorKind::OtherHashRecipe {
            stored: 9,
            expected: 1
        }
    );
}

async fn the_table_itself_refuses_such_rows<H: Harness>(h: &H) {
    use idem::store::{Claimed, Completion, Store as _};
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    let nothing = Completion {
        kind: idem::claim::ResultKind::Value,
        bytes: None,
        version: 1,
    };
    let refused = h.store().complete(&asked, &claim, nothing).await;
    let error = refused.expect_err("a value without bytes is no result");
    let cause = std::error::Error::source(&error)
        .expect("the database says why")
        .to_string();
    assert!(
        cause.contains("a_result_is_bytes_with_a_version_or_a_tombstone"),
        "{cause}"
    );
}

async fn an_effect_that_had_begun_is_never_silently_rerun<H: Harness>(h: &H) {
    use idem::store::{Claimed, Store as _};
    let leased = workflow(Mode::Leased, |w| w);
    let asked = request(leased, "one", "10");
    assert!(matches!(h.store().claim(&asked).await, Ok(Claimed::Won(_))));
    h.sql("update processed_operations set begun_effect = 'receipt-mail'")
        .await;
    let early = call::<H>(h.store(), &delivery(leased, "one")).await;
    assert!(is_busy(&early), "{early:?}");
    h.age(std::time::Duration::from_secs(61)).await;
    for mode in MODES {
        let told = call::<H>(h.store(), &delivery(workflow(mode, |w| w), "one")).await;
        let Ok(idem::Outcome::Ambiguous { reason }) = told else {
            panic!("{told:?}");
        };
        assert!(reason.contains("receipt-mail"), "{reason}");
    }
    assert_eq!(h.effects().await, 0);
}
