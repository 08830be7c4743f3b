//! `idem expand`.

use crate::sandbox::{REFUND, Sandbox};

const HANDLERS: &str = r#"
use idem::{idempotent, sqlite::Tx};

#[idempotent(contract = "refund-order")]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> {
    book(tx, event).await
}

fn helper() {}
"#;

#[test]
fn the_text_of_an_expansion_names_the_contract_and_the_key() {
    let sandbox = Sandbox::new();
    sandbox.file("shop/Cargo.toml", "[package]\nname = \"shop\"\n");
    sandbox.file("contracts/refund-order.toml", REFUND);
    sandbox.file("shop/src/lib.rs", HANDLERS);
    let all = sandbox.run(&["expand", "shop/src/lib.rs"]);
    assert_eq!(all.status, 0, "{all:?}");
    for part in [
        "\"refund-order\"",
        "event.tenant_id",
        "event.refund_id",
        "pub async fn refund",
    ] {
        let part = part.trim_start_matches("pub ");
        assert!(all.out.contains(part), "{part}: {all:?}");
    }
    assert!(!all.out.contains("compile_error"), "{all:?}");
    let one = sandbox.run(&["expand", "shop/src/lib.rs", "--function", "refund"]);
    assert_eq!(one.out, all.out);
    let elsewhere = sandbox.run_in("shop", &["expand", "src/lib.rs"], b"", &[]);
    assert_eq!(elsewhere.out, all.out);
}

#[test]
fn what_cannot_be_expanded_is_status_2_and_says_why() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", REFUND);
    sandbox.file("lib.rs", HANDLERS);
    sandbox.file("plain.rs", "fn main() {}\n");
    sandbox.file("broken.rs", "fn main() {\n    let x = ;\n}\n");
    for (args, why) in [
        (&["expand", "nowhere.rs"][..], "cannot read `nowhere.rs`"),
        (
            &["expand", "plain.rs"],
            "nothing here carries `#[idempotent]`",
        ),
        (&["expand", "broken.rs"], "broken.rs:2:13"),
        (
            &["expand", "lib.rs", "--function", "refnd"],
            "did you mean `refund`?",
        ),
    ] {
        let ran = sandbox.run(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains(why), "{ran:?}");
    }
}
