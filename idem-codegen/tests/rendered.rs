//! What `idem generate` makes of contracts.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use idem_codegen::render::{Database, can_render, drill, function_name, handler};
use idem_contract::{Contract, parse};

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn contract(text: &str) -> Contract {
    parse(text.as_bytes()).contract
}

/// The worked contracts that a handler can be made of.
fn worked() -> Vec<Contract> {
    let mut paths: Vec<_> = fs::read_dir(root().join("contracts"))
        .expect("the worked contracts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    paths.sort();
    let contracts = paths
        .iter()
        .map(|path| contract(&fs::read_to_string(path).expect("a contract")));
    contracts
        .filter(|contract| can_render(contract).is_ok())
        .collect()
}

/// A payload with everything that a name or type can be.
const ODD: &str = r##"
    workflow = "type"
    summary = "Every kind of field."
    [payload]
    "customer.id" = { type = "uuid", origin = "source-id" }
    "customer.type" = { type = "enum", values = ["b2b", "b2c", "2nd hand"] }
    "customer.address.zip-code" = { type = "string", required = false, personal = true }
    self = { type = "integer" }
    eventId = { type = "string", required = false }
    gross = { type = "decimal" }
    rate = { type = "float", required = false }
    open = { type = "boolean", default = true }
    count = { type = "integer", default = 1 }
    unit = { type = "enum", values = ["kg", "piece"], default = "kg" }
    note = { type = "string", default = "none \"yet\"" }
    tags = { type = "array", required = false }
    extra = { type = "object" }
    on = { type = "date" }
    [key]
    fields = ["customer.id", "customer.type"]
    [request]
    hash = ["gross", "extra"]
    [claim]
    max_attempts = 3
    [[effects]]
    name = "stock-level"
    kind = "local"
    target = "stock.levels"
    change = "set"
    [[effects]]
    name = "journal"
    kind = "local"
    change = "insert"
"##;

#[test]
fn a_handler_is_begun_with_every_kind_of_field() {
    insta::assert_snapshot!(
        "handler_of_an_odd_payload",
        handler(&contract(ODD), Database::Postgres)
    );
}

#[test]
fn a_drill_follows_the_contract_and_its_setup_knows_the_crate() {
    let files = drill(&contract(ODD), Database::Postgres, "shop::type_");
    insta::assert_snapshot!("drill_of_an_odd_payload", files.tests);
    insta::assert_snapshot!("drill_setup_of_an_odd_payload", files.setup);
}

#[test]
fn what_a_contract_has_no_event_for_has_no_test() {
    let unhashed = ODD.replace("hash = [\"gross\", \"extra\"]", "hash = \"none\"");
    let tests = drill(&contract(&unhashed), Database::Sqlite, "shop").tests;
    assert!(
        !tests.contains("fn same_key_other_body") && !tests.contains("other_body("),
        "{tests}"
    );
    assert!(
        tests.contains("fn race") && tests.contains("fn must_differ"),
        "{tests}"
    );
    assert!(!tests.contains("fn old_recipe"), "{tests}");
    let changed = format!(
        "{ODD}\n[[key.previous]]\nversion = 1\nfields = [\"customer.id\"]\nuntil = 2099-12-31\n"
    );
    let tests = drill(&contract(&changed), Database::Sqlite, "shop").tests;
    assert!(tests.contains("fn old_recipe"), "{tests}");
    let one_value = ODD.replace("[\"b2b\", \"b2c\", \"2nd hand\"]", "[\"b2b\"]");
    let one_value = one_value.replace(
        "[\"customer.id\", \"customer.type\"]",
        "[\"customer.type\"]",
    );
    let tests = drill(&contract(&one_value), Database::Sqlite, "shop").tests;
    assert!(
        !tests.contains("fn must_differ") && tests.ends_with("}\n"),
        "{tests}"
    );
}

#[test]
fn a_contract_without_a_handlers_form_says_why() {
    let said = |from: &str, to: &str| {
        assert!(ODD.contains(from));
        can_render(&contract(&ODD.replacen(from, to, 1)))
    };
    assert_eq!(can_render(&contract(ODD)), Ok(()));
    let mail = said("kind = \"local\"", "kind = \"irreversible\"");
    assert!(mail.is_err_and(|why| why.contains("effect `stock-level` outside its main database")));
    let upsert = said("workflow", "strategy = \"upsert\"\nworkflow");
    assert!(upsert.is_err_and(|why| why.contains("strategy `upsert`")));
    let keyless = said("fields = [\"customer.id\", \"customer.type\"]", "");
    assert!(keyless.is_err_and(|why| why.contains("does not say its key")));
    let ordered = said("[claim]", "[ordering]\nversion = \"count\"\n[claim]");
    assert!(ordered.is_err_and(|why| why.contains("[ordering]")));
}

/// The files in the runtime's tests were written by `idem generate` and compile there.
#[test]
fn the_files_that_the_runtimes_tests_compile_are_the_ones_generated_today() {
    let folder = root().join("tests/it/generated");
    let read = |name: String| fs::read_to_string(folder.join(name)).expect("a generated file");
    let mut seen = 0;
    for contract in worked() {
        let name = function_name(&contract);
        assert_eq!(
            read(format!("{name}.rs")),
            handler(&contract, Database::Sqlite),
            "{name}"
        );
        if ["refund_order", "transfer_funds"].contains(&name.as_str()) {
            let files = drill(
                &contract,
                Database::Sqlite,
                &format!("crate::generated::{name}"),
            );
            assert_eq!(read(format!("{name}_drill.rs")), files.tests);
            assert_eq!(read(format!("{name}_drill/setup.rs")), files.setup);
            seen += 1;
        }
        if name == "refund_order" {
            let text = handler(&contract, Database::Postgres);
            assert_eq!(read("on_postgres/refund_order.rs".to_owned()), text);
        }
    }
    assert_eq!(seen, 2);
}

#[test]
fn the_drill_of_the_example_service_follows_its_contract() {
    let path = root().join("examples/refund-service/tests/it/refund_order_drill.rs");
    let refund = worked()
        .into_iter()
        .find(|contract| function_name(contract) == "refund_order");
    let refund = refund.expect("the worked contract");
    let tests = drill(&refund, Database::Sqlite, "refund_service").tests;
    assert_eq!(
        fs::read_to_string(path).expect("the example's drill"),
        tests
    );
}

#[test]
fn rustfmt_finds_nothing_to_change() {
    let mut texts = Vec::new();
    for contract in worked().iter().chain([&contract(ODD)]) {
        for database in Database::ALL {
            // Modules are not looked for: the text comes without a place.
            let files = drill(contract, database, "shop::handlers");
            let tests = files.tests.replace("#[path = ", "#[cfg(any())]\n#[path = ");
            texts.extend([handler(contract, database), tests, files.setup]);
        }
    }
    for text in texts {
        let mut rustfmt = Command::new("rustfmt")
            .args(["--edition", "2024", "--emit", "stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("rustfmt, which comes with the toolchain");
        let mut stdin = rustfmt.stdin.take().expect("a pipe");
        stdin.write_all(text.as_bytes()).expect("it reads");
        drop(stdin);
        let out = rustfmt.wait_with_output().expect("it ends");
        assert!(out.status.success(), "{text}");
        assert_eq!(String::from_utf8_lossy(&out.stdout), text);
    }
}
