//! Whom a key is unique for.

use crate::support::{Given, applied, findings, rules};

fn key(fields: &str) -> Vec<String> {
    Given {
        key: fields,
        ..Given::default()
    }
    .rules()
}

#[test]
fn a_tenant_outside_the_key_is_put_into_it_by_the_fix() {
    let given = Given {
        key: "fields = [\"refund_id\"]",
        ..Given::default()
    };
    let found = given.findings();
    assert_eq!(rules(&found), ["missing-tenant error"]);
    let text = applied(&given.text(), found[0].fix.as_ref().expect("a fix"));
    assert_eq!(findings(&text), [], "{text}");
}

#[test]
fn every_name_of_a_tenant_counts_and_any_of_them_in_the_key_is_enough() {
    for name in [
        "tenant",
        "org_id",
        "organisation_id",
        "organization_id",
        "workspace_id",
        "merchant_id",
        "workspaceId",
    ] {
        let text = Given {
            payload: &format!("{name} = {{ type = \"string\", origin = \"source-id\" }}"),
            key: "fields = [\"refund_id\"]",
            ..Given::default()
        }
        .text()
        .replace(
            "tenant_id = { type = \"string\", origin = \"authenticated\" }\n",
            "",
        );
        assert_eq!(rules(&findings(&text)), ["missing-tenant error"], "{name}");
    }
    let other = Given {
        payload: "merchant_id = { type = \"string\", origin = \"authenticated\" }",
        key: "fields = [\"merchant_id\", \"refund_id\"]\ntenant = \"merchant_id\"",
        request: "hash = [\"tenant_id\", \"amount\"]",
        ..Given::default()
    };
    assert_eq!(other.rules(), Vec::<String>::new());
}

#[test]
fn a_tenant_that_is_no_part_is_said_once() {
    assert_eq!(
        key("fields = [\"refund_id\"]\ntenant = \"tenant_id\""),
        ["invalid-value error"]
    );
}

#[test]
fn a_tenant_of_the_body_is_refused_where_a_caller_chooses_it() {
    let found = |kind: &str, origin: &str| {
        let text = Given {
            trigger: &format!("kind = \"{kind}\"\nredelivers_for = \"3d\"\nordered = true"),
            ..Given::default()
        }
        .text()
        .replace("\"authenticated\"", &format!("\"{origin}\""));
        rules(&findings(&text))
    };
    for kind in ["http", "webhook"] {
        for origin in ["source-id", "business-id", "stored-before-attempt"] {
            assert_eq!(
                found(kind, origin),
                ["tenant-from-body error"],
                "{kind} {origin}"
            );
        }
        assert_eq!(found(kind, "authenticated"), Vec::<String>::new(), "{kind}");
    }
    assert_eq!(found("queue", "source-id"), Vec::<String>::new());
}

#[test]
fn one_of_several_consumers_says_which() {
    let found = |trigger: &str| {
        Given {
            trigger: &format!(
                "kind = \"queue\"\nredelivers_for = \"3d\"\nordered = true\n{trigger}"
            ),
            ..Given::default()
        }
        .rules()
    };
    assert_eq!(found("fan_out = true"), ["missing-consumer error"]);
    assert_eq!(
        found("fan_out = true\nconsumer = \"billing\""),
        Vec::<String>::new()
    );
    assert_eq!(found("fan_out = false"), Vec::<String>::new());
    assert_eq!(found(""), Vec::<String>::new());
}

#[test]
fn an_address_or_nobody_is_no_caller() {
    let found = |name: &str, declaration: &str| {
        Given {
            payload: &format!("{name} = {declaration}"),
            key: &format!(
                "fields = [\"tenant_id\", \"refund_id\", \"{name}\"]\ntenant = \"tenant_id\""
            ),
            ..Given::default()
        }
        .rules()
    };
    let text = "{ type = \"string\", origin = \"authenticated\" }";
    assert_eq!(found("client_ip", text), ["anonymous-scope warn"]);
    // A denied name, whatever it means: one finding.
    assert_eq!(found("ip", text), ["environment-in-key error"]);
    assert_eq!(found("ship_id", text), Vec::<String>::new());
    assert_eq!(
        found(
            "caller",
            "{ type = \"enum\", values = [\"staff\", \"anonymous\"], origin = \"authenticated\" }"
        ),
        ["anonymous-scope warn"]
    );
    assert_eq!(
        found(
            "caller",
            "{ type = \"enum\", values = [\"staff\", \"partner\"], origin = \"authenticated\" }"
        ),
        Vec::<String>::new()
    );
}

#[test]
fn a_key_that_callers_choose_needs_the_caller() {
    let found = |kind: &str, origin: &str| {
        let text = Given {
            trigger: &format!("kind = \"{kind}\"\nredelivers_for = \"3d\"\nordered = true"),
            payload: &format!("intent = {{ type = \"string\", origin = \"{origin}\" }}"),
            key: "fields = [\"intent\"]",
            ..Given::default()
        }
        .text()
        .replace(
            "tenant_id = { type = \"string\", origin = \"authenticated\" }\n",
            "",
        );
        rules(&findings(&text))
    };
    assert_eq!(
        found("http", "stored-before-attempt"),
        ["anonymous-scope warn"]
    );
    assert_eq!(found("http", "source-id"), Vec::<String>::new());
    assert_eq!(
        found("queue", "stored-before-attempt"),
        Vec::<String>::new()
    );
}
