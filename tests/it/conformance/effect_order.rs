//! Effects outside the database beside its one writer, or beside a pool of one connection.

use std::time::Duration;

use idem::{Error, StoreErrorKind};

use super::harness::{Harness as _, Outside, Speaks, against_every_store};
use super::outside::*;
use super::script::*;
use super::stores::{Postgres, Sqlite};

against_every_store! {
    an_effect_after_a_local_write_is_performed_or_refused_at_once,
    a_transaction_after_an_effect_is_the_claims_again,
}

/// On SQLite the open transaction is the one writer, so that nothing could say that the effect begins.
async fn an_effect_after_a_local_write_is_performed_or_refused_at_once<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        H::put(op.tx(), "one").await.map_err(|_| Oops::TryAgain)?;
        op.step(REFUND, |key| world.call(REFUND, key)).await
    })
    .await;
    if H::SPEAKS == Speaks::Sqlite {
        let Err(Error::Store(error)) = told else {
            panic!("{told:?}");
        };
        assert_eq!(error.kind(), StoreErrorKind::Permanent);
        assert!(
            error.to_string().contains("before the first `op.tx()`"),
            "{error}"
        );
        assert_eq!((world.calls(REFUND), h.effects().await), (0, 0));
    } else {
        assert!(is_fresh(&told), "{told:?}");
        assert_eq!((world.calls(REFUND), h.effects().await), (1, 1));
    }
}

async fn a_transaction_after_an_effect_is_the_claims_again<H: Outside>(h: &H) {
    let (flow, world) = (three_systems(|w| w), World::default());
    let asked = request(flow, "one", "10");
    let told = deliver_to::<H, _>(h.store(), &asked, async |op: &mut Op<'_, H>| {
        use idem::Transaction as _;
        let refund = op.step(REFUND, |key| world.call(REFUND, key)).await?;
        assert_eq!((op.attempt(), op.fence().get()), (1, 1));
        assert_eq!((op.tx().attempt(), op.tx().fence().get()), (1, 1));
        H::put(op.tx(), "one").await.map_err(|_| Oops::TryAgain)?;
        Err::<String, _>(if refund.is_empty() {
            Oops::WhoKnows
        } else {
            Oops::TryAgain
        })
    })
    .await;
    assert!(
        matches!(told, Err(Error::Failed(Oops::TryAgain))),
        "{told:?}"
    );
    assert_eq!(h.effects().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn effects_on_postgres_need_no_second_connection_of_the_pool() {
    let Some(h) = Postgres::fresh().await else {
        return;
    };
    let narrow = sqlx::postgres::PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(h.1.options())
        .await
        .expect("one connection");
    let store = idem::PostgresStore::new(narrow);
    let (flow, world) = (three_systems(|w| w), World::default());
    let told = deliver::<Postgres>(&store, flow, &world, "one").await;
    assert!(is_fresh(&told), "{told:?}");
    // Even one that the handler's own transaction holds is not waited for.
    let asked = request(flow, "two", "10");
    let told = deliver_to::<Postgres, _>(&store, &asked, async |op: &mut Op<'_, Postgres>| {
        Postgres::put(op.tx(), "two")
            .await
            .map_err(|_| Oops::TryAgain)?;
        op.step(REFUND, |key| world.call(REFUND, key)).await
    })
    .await;
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(h.effects().await, 2);
    store.pool().close().await;
    h.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn effects_on_sqlite_need_no_second_connection_of_the_pool() {
    let Some(h) = Sqlite::fresh().await else {
        return;
    };
    let narrow = sqlx::sqlite::SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(h.store().pool().connect_options().as_ref().clone())
        .await
        .expect("one connection");
    let store = idem::SqliteStore::new(narrow);
    let (flow, world) = (three_systems(|w| w), World::default());
    let told = deliver::<Sqlite>(&store, flow, &world, "one").await;
    assert!(is_fresh(&told), "{told:?}");
    assert_eq!(h.effects().await, 1);
    store.pool().close().await;
    h.close().await;
}
