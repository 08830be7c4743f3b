//! `idem ops`: what an operator sees and does, on a database file.

use serde_json::Value;
use sqlx::{Connection as _, SqliteConnection};
use tokio::runtime::Builder;

use crate::sandbox::{REFUND, Ran, Sandbox};

/// An operation that is done, one that nobody knows of, one that failed, one at work, and one whose
/// owner died in the middle of an effect.
const ROWS: &str = "
    insert into processed_operations
        (idempotency_key, workflow, contract_version, tenant, status, request_hash, hash_recipe,
         field_digests, attempt, fence, claimed_at, lease_until, completed_at, expires_at, begun_effect,
         ambiguous_reason, response_kind, response, response_version)
    values
        ('refund-order:v2:a:done', 'refund-order', 2, 'a', 'done', zeroblob(32), 1, x'', 1, 1,
         1700000000000, null, 1700000001000, 9000000000000, null, null, 'value', x'2273656372657422', 1),
        ('refund-order:v2:a:doubt', 'refund-order', 2, 'a', 'ambiguous', zeroblob(32), 1, x'', 2, 3,
         1700000000000, null, null, 9223372036854775807, null, 'the provider did not answer', null, null, null),
        ('refund-order:v2:b:failed', 'refund-order', 2, 'b', 'failed', zeroblob(32), 1, x'', 5, 5,
         1700000000000, null, null, 9000000000000, null, null, null, null, null),
        ('refund-order:v2:b:work', 'refund-order', 2, 'b', 'in_flight', zeroblob(32), 1, x'', 1, 1,
         1700000000000, 9000000000000, null, 9223372036854775807, 'receipt-mail', null, null, null, null),
        ('refund-order:v2:b:gone', 'refund-order', 2, 'b', 'in_flight', zeroblob(32), 1, x'', 1, 1,
         1700000000000, 1700000030000, null, 9223372036854775807, 'receipt-mail', null, null, null, null);
";

fn sql(sandbox: &Sandbox, statements: &'static str) {
    let url = format!("sqlite:{}", sandbox.path("shop.db").display());
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(async {
            let mut connection = SqliteConnection::connect(&url).await.expect("a database");
            sqlx::raw_sql(statements)
                .execute(&mut connection)
                .await
                .expect("the statements run");
            connection.close().await.expect("the end of the connection");
        });
}

fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    let migrated = sandbox.run(&["migrate", "--url", "sqlite:shop.db"]);
    assert_eq!(migrated.status, 0, "{migrated:?}");
    sql(&sandbox, ROWS);
    let swept = sandbox.run(&["sweep", "--once", "--url", "sqlite:shop.db"]);
    assert_eq!(
        swept.out, "2 cases for a person: idem ops list --dead\nremoved 0 rows\n",
        "{swept:?}"
    );
    sandbox
}

fn ops(sandbox: &Sandbox, words: &[&str]) -> Ran {
    let mut all = vec!["ops"];
    all.extend(words);
    all.extend(["--url", "sqlite:shop.db"]);
    let ran = sandbox.run_in("", &all, b"", &[("USER", "ada"), ("HOSTNAME", "desk")]);
    assert!(
        !ran.out.contains("secret"),
        "a payload is never shown: {ran:?}"
    );
    ran
}

fn json(sandbox: &Sandbox, words: &[&str]) -> Value {
    let mut all = words.to_vec();
    all.extend(["--format", "json"]);
    let ran = ops(sandbox, &all);
    let value: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(value["version"], 1);
    value
}

fn keys(listed: &Value) -> Vec<&str> {
    let operations = listed["operations"].as_array().expect("a list");
    operations
        .iter()
        .filter_map(|operation| operation["key"].as_str()?.rsplit(':').next())
        .collect()
}

#[test]
fn what_waits_for_a_person_is_listed_with_whom_it_concerns() {
    let sandbox = shop();
    let listed = ops(&sandbox, &["list", "--dead"]);
    assert_eq!(listed.status, 0, "{listed:?}");
    for text in [
        "refund-order:v2:a:doubt\n",
        "the provider did not answer",
        "`receipt-mail` had begun when the lease ran out",
        "2 in all",
    ] {
        assert!(listed.out.contains(text), "{text}: {listed:?}");
    }
    let listed = json(&sandbox, &["list", "--dead"]);
    assert_eq!(keys(&listed), ["doubt", "gone"]);
    let letter = &listed["operations"][1]["dead_letter"];
    assert_eq!(letter["kind"], "ambiguous");
    for name in ["owner", "channel"] {
        let value = letter[name].as_str().expect("the contract names one");
        assert!(REFUND.contains(&format!("= \"{value}\"")), "{value}");
    }
    assert!(
        letter["due"].as_str().is_some_and(|due| due.ends_with('Z')),
        "{letter}"
    );
}

#[test]
fn a_list_can_be_narrowed() {
    let sandbox = shop();
    for (words, expected) in [
        (&["list", "--tenant", "a"][..], &["done", "doubt"][..]),
        (&["list", "--state", "in_flight"], &["work"]),
        (&["list", "--workflow", "another"], &[]),
        (&["list", "--limit", "1"], &["done"]),
        (&["list", "--dead", "--older-than", "4h"], &[]),
        (
            &["list", "--state", "failed", "--older-than", "2d"],
            &["failed"],
        ),
    ] {
        assert_eq!(keys(&json(&sandbox, words)), expected, "{words:?}");
    }
    let none = ops(&sandbox, &["list", "--workflow", "another"]);
    assert_eq!((none.status, none.out.as_str()), (0, "none\n"));
}

#[test]
fn a_resolved_operation_says_who_settled_it_and_why() {
    let sandbox = shop();
    let key = "refund-order:v2:a:doubt";
    let note = "the provider's console says refunded";
    let resolved = ops(&sandbox, &["resolve", key, "--as", "done", "--note", note]);
    assert_eq!(resolved.status, 0, "{resolved:?}");
    assert_eq!(resolved.out, format!("{key}: done now\n"));
    let shown = json(&sandbox, &["show", key]);
    let operation = &shown["operation"];
    assert_eq!(operation["status"], "done");
    assert_eq!(operation["result"]["kind"], "tombstone");
    assert_eq!(operation["fence"], 4);
    assert_eq!(operation["dead_letter"], Value::Null);
    let settlement = &shown["settlements"][0];
    assert_eq!(settlement["by"], "ada@desk");
    assert_eq!(settlement["note"], note);
    assert_eq!(
        (&settlement["from"], &settlement["to"]),
        (&"ambiguous".into(), &"done".into())
    );
    assert!(shown["dead_letters"][0]["settled_at"].is_string());
    let human = ops(&sandbox, &["show", key]);
    assert!(
        human.out.contains("ada@desk  resolve: ambiguous -> done"),
        "{human:?}"
    );
    assert_eq!(keys(&json(&sandbox, &["list", "--dead"])), ["gone"]);
}

#[test]
fn a_given_result_is_kept_byte_for_byte_and_must_be_json() {
    let sandbox = shop();
    let key = "refund-order:v2:a:doubt";
    sandbox.file("result.json", "{\"refund\" : 7}\n");
    sandbox.file("broken.json", "{refund");
    let resolve = |file: &str, how: &str| {
        ops(
            &sandbox,
            &["resolve", key, "--as", how, "--note", "n", "--result", file],
        )
    };
    for (file, how) in [
        ("broken.json", "done"),
        ("absent.json", "done"),
        ("result.json", "failed"),
    ] {
        assert_eq!(resolve(file, how).status, 2, "{file} as {how}");
    }
    assert_eq!(
        json(&sandbox, &["show", key])["operation"]["status"],
        "ambiguous"
    );
    assert_eq!(resolve("result.json", "done").status, 0);
    let shown = json(&sandbox, &["show", key]);
    assert_eq!(shown["operation"]["result"]["bytes"], 14);
    assert_eq!(shown["operation"]["result"]["kind"], "value");
}

#[test]
fn a_change_that_came_too_late_or_makes_no_sense_is_refused_with_what_is_now() {
    let sandbox = shop();
    let key = "refund-order:v2:a:doubt";
    let stale = ops(
        &sandbox,
        &[
            "resolve", key, "--as", "failed", "--note", "n", "--fence", "2",
        ],
    );
    assert_eq!(stale.status, 1, "{stale:?}");
    assert!(
        stale.out.contains("is ambiguous now (attempt 2, fence 3)"),
        "{stale:?}"
    );
    let early = ops(&sandbox, &["retry", key, "--note", "n"]);
    assert_eq!(early.status, 1);
    assert!(early.out.contains("`resolve` it first"), "{early:?}");
    let busy = json(
        &sandbox,
        &["forget", "refund-order:v2:b:work", "--note", "n"],
    );
    assert_eq!(busy["outcome"], "refused");
    assert!(
        busy["why"]
            .as_str()
            .is_some_and(|why| why.contains("at work")),
        "{busy}"
    );
    let unknown = ops(&sandbox, &["show", "refund-order:v2:nobody"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("there is no operation"), "{unknown:?}");
    let silent = ops(&sandbox, &["forget", key, "--note", "  "]);
    assert_eq!(silent.status, 2);
    assert!(silent.err.contains("say why"), "{silent:?}");
}

#[test]
fn a_retry_and_a_forgotten_key_leave_their_marks() {
    let sandbox = shop();
    let failed = "refund-order:v2:b:failed";
    assert_eq!(
        ops(&sandbox, &["retry", failed, "--note", "n", "--by", "eve"]).status,
        0
    );
    let shown = json(&sandbox, &["show", failed]);
    assert_eq!(shown["operation"]["attempt"], 4);
    assert_eq!(shown["operation"]["fence"], 6);
    assert_eq!(shown["settlements"][0]["by"], "eve");
    let done = "refund-order:v2:a:done";
    let forgotten = ops(
        &sandbox,
        &["forget", done, "--note", "asked by the customer"],
    );
    assert_eq!(forgotten.out, format!("{done}: forgotten now\n"));
    let swept = sandbox.run(&["sweep", "--once", "--url", "sqlite:shop.db"]);
    assert_eq!(swept.out, "removed 1 rows\n");
    let shown = json(&sandbox, &["show", done]);
    assert_eq!(shown["operation"], Value::Null);
    assert_eq!(shown["settlements"][0]["act"], "forget");
    assert_eq!(shown["settlements"][0]["to"], Value::Null);
}
