//! `idem drill`, with the processes that it kills.

use serde_json::Value;

use crate::sandbox::{REFUND, Ran, Sandbox, edited, postgres};

fn drilled(ran: &Ran) -> Value {
    let report: Value = serde_json::from_str(&ran.out).expect("a report in JSON");
    assert_eq!(report["version"], 1);
    report
}

#[test]
fn a_worked_contract_passes_every_drill_and_every_broken_twin_is_caught() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    let ran = sandbox.run(&["drill", "--format", "json"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    let report = drilled(&ran);
    assert_eq!(report["store"], "sqlite");
    let drills = report["workflows"][0]["drills"].as_array().expect("drills");
    let passed: Vec<_> = drills
        .iter()
        .map(|drill| {
            assert_eq!(drill["standing"], "passed", "{drill}");
            drill["drill"].as_str().expect("a name")
        })
        .collect();
    assert_eq!(
        passed,
        [
            "replay_back_to_back",
            "replay_after_lease",
            "kill_before_work",
            "kill_mid_work",
            "kill_before_commit",
            "kill_after_commit",
            "race",
            "same_key_other_body",
            "must_differ",
        ]
    );
    assert_eq!(
        (&report["twins"]["caught"], &report["twins"]["of"]),
        (&7.into(), &7.into())
    );
}

#[test]
fn a_drill_on_a_file_leaves_the_file_and_its_folder_alone() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    sandbox.file("data/shop.db", "");
    let url = format!("sqlite://{}", sandbox.path("data/shop.db").display());
    let ran = sandbox.run(&["drill", "--no-twins", "--url", &url]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.out.ends_with("9 drills of 1 workflow: all passed\n"),
        "{ran:?}"
    );
    let left: Vec<_> = std::fs::read_dir(sandbox.path("data"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left, ["shop.db"]);
    assert_eq!(sandbox.read("data/shop.db"), "");
}

#[test]
fn what_cannot_be_drilled_is_named_with_its_reason_and_is_nothing_drilled() {
    let sandbox = Sandbox::new();
    let mail = edited(
        REFUND,
        "kind   = \"local\"\ntarget = \"ledger\"\nchange = \"insert\"",
        "kind   = \"irreversible\"\non_ambiguous = \"dead-letter\"",
    );
    sandbox.file("contracts/refund-order.toml", mail);
    let ran = sandbox.run(&["drill"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(
        ran.out
            .contains("not run  every drill: effect `ledger` is irreversible"),
        "{ran:?}"
    );
    assert!(ran.out.ends_with("1 workflow not drilled\n"), "{ran:?}");
    assert_eq!(sandbox.run(&["drill", "--allow-empty"]).status, 0);
}

#[test]
fn a_request_hash_of_nothing_leaves_its_drill_out_by_name() {
    let sandbox = Sandbox::new();
    let unhashed = edited(
        REFUND,
        "hash   = [\"order_id\", \"amount\", \"currency\"]\nignore = [\"reason\"]",
        "hash   = \"none\"",
    );
    sandbox.file("contracts/refund-order.toml", unhashed);
    let ran = sandbox.run(&["drill", "--no-twins", "--format", "json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let report = drilled(&ran);
    let drills = report["workflows"][0]["drills"].as_array().expect("drills");
    let left_out: Vec<_> = drills
        .iter()
        .filter(|drill| drill["standing"] == "not_run")
        .collect();
    assert_eq!(left_out.len(), 1);
    assert_eq!(left_out[0]["drill"], "same_key_other_body");
}

#[test]
fn a_store_out_of_reach_is_status_2_before_anything_runs() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    for (url, why) in [
        (
            "sqlite:///no/such/folder/shop.db",
            "there is no folder for `/no/such/folder/shop.db`",
        ),
        (
            "sqlite::memory:",
            "a database in memory ends with its process",
        ),
        (
            "redis://localhost",
            "there is no store for `redis:` addresses",
        ),
    ] {
        let ran = sandbox.run(&["drill", "--url", url]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains(why), "{ran:?}");
    }
}

#[test]
fn nobody_drills_a_folder_without_contracts() {
    let ran = Sandbox::new().run(&["drill"]);
    assert_eq!(ran.status, 3, "{ran:?}");
}

#[test]
fn a_worked_contract_passes_every_drill_on_postgres() {
    let Some(url) = postgres() else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    let ran = sandbox.run(&["drill", "--no-twins", "--url", &url]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    assert!(
        ran.out
            .starts_with("refund-order (contracts/refund-order.toml) on postgres\n"),
        "{ran:?}"
    );
    let gone = "postgres://nobody@127.0.0.1:1/none";
    let ran = sandbox.run(&["drill", "--url", gone]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("postgres cannot be drilled on"), "{ran:?}");
}
