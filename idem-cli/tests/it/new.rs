//! `idem new`.

use crate::sandbox::{Ran, Sandbox};

const FLAGS: &[&str] = &[
    "--kind",
    "webhook",
    "--owner",
    "team-payments",
    "--summary",
    "Refund a \"paid\" order once.",
    "--redelivers-for",
    "3d",
    "--event",
    "refund.created",
    "--field",
    "tenant_id:string:authenticated",
    "--field",
    "refund_id:uuid:source-id",
    "--field",
    "amount:integer",
    "--field",
    "currency:enum(EUR,USD)",
    "--field",
    "reason:string:optional:personal",
    "--key",
    "tenant_id,refund_id",
    "--hash",
    "amount,currency",
    "--effect",
    "refunds:local:insert",
    "--lease",
    "30s",
    "--window",
    "30d",
    "--max-attempts",
    "5",
    "--dead-letter-owner",
    "payments-oncall",
    "--dead-letter-channel",
    "#payments-incidents",
    "--dead-letter-deadline",
    "4h",
];

fn new(sandbox: &Sandbox, name: &str, flags: &[&str]) -> Ran {
    sandbox.run(&[&["new", name], flags].concat())
}

#[test]
fn a_new_contract_has_every_decision_and_no_finding() {
    let sandbox = Sandbox::new();
    let ran = new(&sandbox, "refund-order", FLAGS);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.contains("1 contract: no findings"), "{ran:?}");
    insta::assert_snapshot!("new_webhook", sandbox.read("contracts/refund-order.toml"));
    let lint = sandbox.run(&["lint", "--no-lock"]);
    assert_eq!(lint.status, 0, "{lint:?}");
}

#[test]
fn decisions_that_are_missing_are_named_together() {
    let sandbox = Sandbox::new();
    let ran = new(&sandbox, "refund-order", &["--kind", "webhook"]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
    insta::assert_snapshot!("new_missing_decisions", ran.err);
    assert!(!sandbox.path("contracts").exists());
}

#[test]
fn a_contract_is_never_written_over() {
    let sandbox = Sandbox::new();
    sandbox.file("contracts/refund-order.toml", "mine");
    let ran = new(&sandbox, "refund-order", FLAGS);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains("already there"), "{ran:?}");
    assert_eq!(sandbox.read("contracts/refund-order.toml"), "mine");
}

#[test]
fn a_name_that_no_key_can_carry_is_refused() {
    for name in [
        "RefundOrder",
        "refund--order",
        "../refund",
        "refund_order",
        "9lives",
        "",
    ] {
        let sandbox = Sandbox::new();
        let ran = new(&sandbox, name, FLAGS);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.err.contains("kebab-case"), "{ran:?}");
    }
}

#[test]
fn a_key_field_that_is_not_declared_is_refused() {
    let sandbox = Sandbox::new();
    let flags: Vec<_> = FLAGS
        .iter()
        .map(|flag| {
            if *flag == "tenant_id,refund_id" {
                "tenant_id,refnd_id"
            } else {
                flag
            }
        })
        .collect();
    let ran = new(&sandbox, "refund-order", &flags);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains("--key names `refnd_id`"), "{ran:?}");
}

#[test]
fn a_contract_goes_where_the_configuration_says() {
    let sandbox = Sandbox::new();
    sandbox.file("idem.toml", "contracts = \"specs\"\n");
    assert_eq!(new(&sandbox, "refund-order", FLAGS).status, 0);
    assert!(sandbox.path("specs/refund-order.toml").exists());
}

#[test]
fn what_the_linter_thinks_of_the_decisions_is_shown_at_once() {
    let sandbox = Sandbox::new();
    let flags: Vec<_> = FLAGS
        .iter()
        .map(|flag| if *flag == "30d" { "1d" } else { flag })
        .collect();
    let ran = new(&sandbox, "refund-order", &flags);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.out.contains("window-shorter-than-redelivery"),
        "{ran:?}"
    );
    assert!(ran.out.contains("yours to decide"), "{ran:?}");
}
