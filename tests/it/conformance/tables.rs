//! The tables: made once, checked at start-up, and exact about keys.

use idem::store::Store as _;
use idem::{Mode, StoreErrorKind};

use super::harness::{Harness, Speaks, against_every_store};
use super::script::*;

against_every_store! {
    keys_that_differ_in_case_alone_are_two_operations,
    the_longest_key_is_a_key,
    ; databases:
    migrating_twice_does_nothing_the_second_time,
    several_processes_may_migrate_at_once,
    the_check_accepts_what_the_migrations_made,
    the_check_refuses_a_table_that_lacks_a_column,
    the_check_refuses_a_table_without_its_unique_key,
    the_check_refuses_keys_that_fold_case,
    the_check_names_a_missing_migration,
    the_check_refuses_the_tables_of_a_newer_version,
    an_old_table_of_that_name_is_refused,
}

async fn keys_that_differ_in_case_alone_are_two_operations<H: Harness>(h: &H) {
    for (mode, ids) in [
        (Mode::Fused, ["abc", "ABC", "abc\u{e9}"]),
        (Mode::Leased, ["lease", "LEASE", "lease "]),
    ] {
        let flow = workflow(mode, |w| w);
        for id in ids {
            assert!(
                is_fresh(&call::<H>(h.store(), &delivery(flow, id)).await),
                "{id}"
            );
        }
    }
    assert_eq!(h.effects().await, 6);
}

async fn the_longest_key_is_a_key<H: Harness>(h: &H) {
    let flow = workflow(Mode::Fused, |w| w);
    let long: &'static str = "k".repeat(240).leak();
    assert_eq!(key_of(flow, long).as_str().len(), idem::Key::MAX_BYTES);
    let digested: &'static str = "k".repeat(3000).leak();
    for id in [long, digested] {
        assert!(is_fresh(&call::<H>(h.store(), &delivery(flow, id)).await));
        assert!(is_replay(&call::<H>(h.store(), &delivery(flow, id)).await));
    }
}

async fn refusal<H: Harness>(h: &H) -> String {
    let error = h.store().check().await.expect_err("the check refuses");
    assert_eq!(error.kind(), StoreErrorKind::Permanent);
    error.to_string()
}

async fn migrating_twice_does_nothing_the_second_time<H: Harness>(h: &H) {
    assert_eq!(
        h.store().migrate().await.expect("it migrates"),
        Vec::<u32>::new()
    );
}

async fn several_processes_may_migrate_at_once<H: Harness>(h: &H) {
    h.sql(
        "drop table operation_effects; drop table processed_operations; drop table dead_letters;
         drop table operation_settlements; drop table idem_migrations",
    )
    .await;
    let mut processes = Vec::new();
    for _ in 0..4 {
        let stranger = h.stranger().await;
        processes.push(tokio::spawn(async move {
            // A stranger waits less for SQLite's one writer than the others may take together.
            for _ in 0..100 {
                match stranger.migrate().await {
                    Ok(applied) => return applied,
                    Err(error) => assert_eq!(error.kind(), StoreErrorKind::Transient, "{error}"),
                }
            }
            panic!("the writer never became free")
        }));
    }
    let mut applied = Vec::new();
    for process in processes {
        applied.extend(process.await.expect("a process ends"));
    }
    // One that was refused the writer half-way does not say what it had applied before.
    let told = applied.len();
    applied.sort_unstable();
    applied.dedup();
    assert_eq!(applied.len(), told, "{applied:?}");
    assert_eq!(h.count("idem_migrations").await, 4);
    h.store().check().await.expect("the tables are whole");
}

async fn the_check_accepts_what_the_migrations_made<H: Harness>(h: &H) {
    h.store().check().await.expect("the tables are whole");
}

async fn the_check_refuses_a_table_that_lacks_a_column<H: Harness>(h: &H) {
    h.sql("alter table processed_operations drop column tenant")
        .await;
    let said = refusal(h).await;
    assert!(said.contains("no column `tenant`"), "{said}");
    assert!(said.contains("0001_processed_operations"), "{said}");
}

async fn the_check_refuses_a_table_without_its_unique_key<H: Harness>(h: &H) {
    h.sql(if H::SPEAKS == Speaks::Sqlite {
        "create table copy as select * from processed_operations;
         drop table processed_operations;
         create table processed_operations (
            idempotency_key text not null, workflow text not null, contract_version integer not null,
            contract_digest blob, tenant text, status text not null,
            request_hash blob not null, hash_recipe integer not null, field_digests blob not null,
            attempt integer not null, fence integer not null, claimed_at integer not null,
            lease_until integer, completed_at integer, expires_at integer not null,
            begun_effect text, ambiguous_reason text, response_kind text, response blob,
            response_version integer, effects_since integer, keyed_until integer,
            unique (idempotency_key, workflow)
         )"
    } else if H::SPEAKS == Speaks::Postgres {
        "drop table operation_effects;
         alter table processed_operations drop constraint processed_operations_pkey;
         alter table processed_operations add unique (idempotency_key, workflow)"
    } else {
        "drop table operation_effects;
         alter table processed_operations drop primary key;
         alter table processed_operations add unique (idempotency_key, workflow)"
    })
    .await;
    let said = refusal(h).await;
    assert!(
        said.contains("no unique key on `idempotency_key` alone"),
        "{said}"
    );
}

async fn the_check_refuses_keys_that_fold_case<H: Harness>(h: &H) {
    h.sql(if H::SPEAKS == Speaks::Sqlite {
        "drop table processed_operations;
         create table processed_operations (
            idempotency_key text not null collate nocase primary key, workflow text not null,
            contract_version integer not null, contract_digest blob, tenant text,
            status text not null, request_hash blob not null, hash_recipe integer not null,
            field_digests blob not null, attempt integer not null, fence integer not null,
            claimed_at integer not null, lease_until integer, completed_at integer,
            expires_at integer not null, begun_effect text, ambiguous_reason text,
            response_kind text, response blob, response_version integer, effects_since integer,
            keyed_until integer
         )"
    } else if H::SPEAKS == Speaks::Mysql {
        "drop table operation_effects;
         alter table processed_operations
            modify idempotency_key varchar(255) collate utf8mb4_bin not null"
    } else {
        "drop table operation_effects;
         create collation folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
         alter table processed_operations
            drop constraint key_is_between_1_and_255_bytes,
            alter column idempotency_key type text collate folding"
    })
    .await;
    let said = refusal(h).await.to_lowercase();
    if H::SPEAKS == Speaks::Mysql {
        // A collation folds at least the spaces at the end, so only bytes will do.
        assert!(said.contains("`varchar(255) not null` where"), "{said}");
        assert!(
            said.contains("makes it `varbinary(255) not null`"),
            "{said}"
        );
    } else {
        assert!(said.contains("under collation"), "{said}");
    }
}

async fn the_check_names_a_missing_migration<H: Harness>(h: &H) {
    h.sql(if H::SPEAKS == Speaks::Mysql {
        "drop index processed_operations_by_expiry on processed_operations"
    } else {
        "drop index processed_operations_by_expiry"
    })
    .await;
    let said = refusal(h).await;
    assert!(said.contains("0002_expiry_index"), "{said}");
    h.sql("drop table operation_effects; drop table processed_operations")
        .await;
    let said = refusal(h).await;
    assert!(said.contains("0001_processed_operations"), "{said}");
}

async fn the_check_refuses_the_tables_of_a_newer_version<H: Harness>(h: &H) {
    h.sql(if H::SPEAKS == Speaks::Sqlite {
        "insert into idem_migrations (version, name, applied_at) values (99, 'later', 0)"
    } else if H::SPEAKS == Speaks::Mysql {
        "insert into idem_migrations values (99, 'later', utc_timestamp(6))"
    } else {
        "insert into idem_migrations (version, name) values (99, 'later')"
    })
    .await;
    let said = refusal(h).await;
    assert!(said.contains("update this program"), "{said}");
}

async fn an_old_table_of_that_name_is_refused<H: Harness>(h: &H) {
    h.sql(
        "drop table idem_migrations;
         drop table operation_effects;
         drop table processed_operations;
         create table processed_operations (
            idempotency_key varchar(255) primary key, response text
         )",
    )
    .await;
    let said = refusal(h).await;
    assert!(said.contains("no column `workflow`"), "{said}");
    assert!(said.contains("rename that table"), "{said}");
    let error = h
        .store()
        .migrate()
        .await
        .expect_err("it is not overwritten");
    assert_eq!(error.kind(), StoreErrorKind::Permanent, "{error}");
}
