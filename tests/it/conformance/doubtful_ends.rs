//! An attempt that ends in doubt is on record before anybody else can win its key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use idem::{Error, Mode, Outcome};

use super::harness::{Harness, against_every_store};
use super::script::*;
use super::stores::Postgres;

against_every_store! {
    no_retry_comes_between_a_doubtful_end_and_its_record,
}

async fn no_retry_comes_between_a_doubtful_end_and_its_record<H: Harness>(h: &H) {
    for round in 0..10 {
        let runs = Arc::new(AtomicU32::new(0));
        let mut one = delivery(workflow(Mode::Fused, |w| w), "one")
            .only([Step::Count(Arc::clone(&runs)), Step::Fail(Oops::WhoKnows)]);
        one.id = format!("round {round}");
        let over = Arc::new(AtomicBool::new(false));
        let mut others = Vec::new();
        for _ in 0..3 {
            let (stranger, one, over) = (h.stranger().await, one.clone(), Arc::clone(&over));
            others.push(tokio::spawn(async move {
                while !over.load(Ordering::SeqCst) {
                    let told = call::<H>(&stranger, &one).await;
                    if matches!(told, Ok(Outcome::Ambiguous { .. })) {
                        return;
                    }
                    tokio::task::yield_now().await;
                }
            }));
        }
        let told = until_told::<H>(h.store(), &one).await;
        assert!(
            matches!(told, Err(Error::Unknown(_)) | Ok(Outcome::Ambiguous { .. })),
            "{told:?}"
        );
        over.store(true, Ordering::SeqCst);
        for other in others {
            other.await.expect("it ends");
        }
        assert_eq!(runs.load(Ordering::SeqCst), 1, "round {round}");
    }
}

/// The record is held up, and with it everybody else: the key is not free in between.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_not_free_while_its_doubtful_end_is_being_recorded() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    for id in ["wrote", "did not write"] {
        let runs = Arc::new(AtomicU32::new(0));
        let one = delivery(workflow(Mode::Fused, |w| w), id)
            .only([Step::Count(Arc::clone(&runs)), Step::Fail(Oops::WhoKnows)]);
        let one = if id == "wrote" {
            one.clone()
                .only([vec![Step::Put("undone")], one.steps].concat())
        } else {
            one
        };
        let mut operator = h.store().pool().begin().await.expect("it begins");
        sqlx::query(
            "insert into processed_operations (idempotency_key, workflow, contract_version, status,
                 request_hash, hash_recipe, field_digests, expires_at, lease_until)
             values ($1, 'conformance', 1, 'in_flight', sha256(''), 1, '', 'infinity', now())",
        )
        .bind(one.key().as_str())
        .execute(&mut *operator)
        .await
        .expect("it is inserted, and not committed");
        let failing = spawn::<Postgres>(h.store(), &one);
        let waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'
             and application_name = current_setting('application_name')";
        loop {
            let waiting: i64 = sqlx::query_scalar(waiting)
                .fetch_one(h.store().pool())
                .await
                .expect("a count");
            if waiting > 0 {
                break;
            }
        }
        let told = call::<Postgres>(h.store(), &one).await;
        assert!(is_busy(&told), "{id}: {told:?}");
        operator.rollback().await.expect("it is rolled back");
        let told = failing.await.expect("it ends");
        assert!(matches!(told, Err(Error::Unknown(_))), "{id}: {told:?}");
        let told = call::<Postgres>(h.store(), &one).await;
        assert!(matches!(told, Ok(Outcome::Ambiguous { .. })), "{told:?}");
        assert_eq!(runs.load(Ordering::SeqCst), 1, "{id}");
    }
    assert_eq!(h.effects().await, 0);
    h.close().await;
}
