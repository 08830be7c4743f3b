//! `idem generate handler` and `idem generate drill`.

use crate::sandbox::{REFUND, Sandbox, edited};

const CRATE: &str = "[package]\nname = \"refund-service\"\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    sandbox.file("Cargo.toml", CRATE);
    sandbox
}

#[test]
fn a_handler_is_begun_once_and_is_its_readers_from_then_on() {
    let sandbox = sandbox();
    let handler = ["generate", "handler", "--database", "sqlite"];
    let missing = sandbox.run(&[&handler[..], &["--check"]].concat());
    assert_eq!(missing.status, 1, "{missing:?}");
    assert!(
        missing.out.starts_with("src/refund_order.rs is missing"),
        "{missing:?}"
    );

    let written = sandbox.run(&handler);
    assert_eq!(
        (written.status, written.out.as_str()),
        (0, "wrote src/refund_order.rs\n")
    );
    let text = sandbox.read("src/refund_order.rs");
    assert!(
        text.contains("use idem::sqlite::Tx;")
            && text.contains("key = (event.tenant_id, event.refund_id)"),
        "{text}"
    );

    sandbox.file("src/refund_order.rs", "// mine now\n");
    let kept = sandbox.run(&handler);
    assert_eq!(
        (kept.status, kept.out.as_str()),
        (0, "kept src/refund_order.rs\n")
    );
    assert_eq!(sandbox.read("src/refund_order.rs"), "// mine now\n");
    assert_eq!(
        sandbox.run(&[&handler[..], &["--check"]].concat()).status,
        0
    );
}

#[test]
fn a_drill_follows_its_contract_and_leaves_its_setup_alone() {
    let sandbox = sandbox();
    let drill = ["generate", "drill", "--database", "sqlite"];
    let written = sandbox.run(&drill);
    assert_eq!(written.status, 0, "{written:?}");
    let setup = sandbox.read("tests/refund_order_drill/setup.rs");
    assert!(
        setup.contains("use refund_service::refund_order::{RefundOrder, refund_order};"),
        "{setup}"
    );
    let check = [&drill[..], &["--check"]].concat();
    assert_eq!(sandbox.run(&check).status, 0);

    sandbox.file("tests/refund_order_drill/setup.rs", "// mine now\n");
    let changed = edited(REFUND, "max_attempts = 5", "max_attempts = 4");
    sandbox.file("contracts/refund-order.toml", changed);
    let stale = sandbox.run(&check);
    assert_eq!(stale.status, 1, "{stale:?}");
    let said = "tests/refund_order_drill.rs is not current: run `idem generate` without --check\n";
    assert_eq!(stale.out, said);
    let again = sandbox.run(&drill);
    assert!(
        again.out.contains(
            "wrote tests/refund_order_drill.rs\nkept tests/refund_order_drill/setup.rs\n"
        ),
        "{again:?}"
    );
    assert_eq!(
        sandbox.read("tests/refund_order_drill/setup.rs"),
        "// mine now\n"
    );
    assert_eq!(sandbox.run(&check).status, 0);
}

#[test]
fn the_crate_of_the_handler_is_asked_for_where_nothing_names_it() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    let drill = ["generate", "drill", "--database", "postgres"];
    sandbox.file("Cargo.toml", "[workspace]\n");
    let asked = sandbox.run(&drill);
    assert_eq!((asked.status, asked.out.as_str()), (2, ""), "{asked:?}");
    assert!(asked.err.contains("--handler"), "{asked:?}");
    sandbox.file(
        "Cargo.toml",
        "[package]\nname = \"a\"\n[lib]\nname = \"till\"\n",
    );
    assert_eq!(sandbox.run(&drill).status, 0);
    let setup = sandbox.read("tests/refund_order_drill/setup.rs");
    assert!(
        setup.contains("use till::refund_order::") && setup.contains("PostgresStore"),
        "{setup}"
    );
}

#[test]
fn the_database_comes_from_the_option_or_the_settings() {
    let sandbox = sandbox();
    let asked = sandbox.run(&["generate", "handler"]);
    assert_eq!(asked.status, 2, "{asked:?}");
    assert!(
        asked
            .err
            .contains("--database sqlite or --database postgres or --database mysql"),
        "{asked:?}"
    );
    let unknown = sandbox.run(&["generate", "handler", "--database", "oracle"]);
    assert_eq!(unknown.status, 2, "{unknown:?}");
    sandbox.file("idem.toml", "[sql]\ndatabase = \"postgres\"\n");
    assert_eq!(sandbox.run(&["generate", "handler"]).status, 0);
    assert!(
        sandbox
            .read("src/refund_order.rs")
            .contains("use idem::postgres::Tx;")
    );
}

#[test]
fn a_contract_without_a_handlers_form_is_left_out_by_name() {
    let sandbox = sandbox();
    let upsert = edited(
        REFUND,
        "contract = 1",
        "contract = 1\nstrategy = \"upsert\"",
    );
    sandbox.file("contracts/refund-order.toml", upsert);
    let ran = sandbox.run(&["generate", "handler", "--database", "sqlite"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(
        ran.out
            .starts_with("left out contracts/refund-order.toml: it has strategy `upsert`"),
        "{ran:?}"
    );
}
