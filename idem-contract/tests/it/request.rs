//! The request hash and the stored response.

use crate::support::{Given, applied, findings, rules};

fn request(payload: &str, request: &str) -> Vec<String> {
    Given {
        payload,
        request,
        ..Given::default()
    }
    .rules()
}

/// What is left to say after the fix of the only finding.
fn after_the_fix(given: &Given<'_>) -> Vec<String> {
    let found = given.findings();
    assert_eq!(found.len(), 1, "{:?}", rules(&found));
    let fix = found[0].fix.as_ref().expect("a fix");
    rules(&findings(&applied(&given.text(), fix)))
}

#[test]
fn a_missing_hash_is_written_by_the_fix_without_what_changes() {
    let given = Given {
        payload: "sent = { type = \"timestamp\" }\nsignature = { type = \"string\" }",
        request: "",
        ..Given::default()
    };
    assert_eq!(given.rules(), ["missing-request-hash error"]);
    let found = given.findings();
    assert!(
        found[0].help.contains("[\"order_id\", \"amount\"]"),
        "{}",
        found[0].help
    );
    assert_eq!(after_the_fix(&given), Vec::<String>::new());
}

#[test]
fn none_is_right_only_where_there_is_nothing_but_the_key() {
    assert_eq!(
        request("", "hash = \"none\""),
        ["missing-request-hash error"]
    );
    let everything = Given {
        payload: "sent = { type = \"timestamp\" }",
        key: "fields = [\"tenant_id\", \"refund_id\", \"order_id\"]\ntenant = \"tenant_id\"",
        request: "hash = \"none\"",
        ..Given::default()
    }
    .text()
    .replace("amount = { type = \"decimal\" }\n", "");
    assert_eq!(rules(&findings(&everything)), Vec::<String>::new());
}

#[test]
fn a_hash_that_covers_nothing_is_a_missing_one() {
    for hash in [
        "hash = []",
        "hash = \"all\"\nignore = [\"order_id\", \"amount\"]",
        "hash = \"none\"\nignore = [\"order_id\", \"amount\"]",
        "ignore = [\"order_id\", \"amount\"]",
    ] {
        let found = request("", hash);
        assert_eq!(found, ["missing-request-hash error"], "{hash}");
    }
    let sent = "sent = { type = \"timestamp\" }";
    for hash in [
        "hash = \"all\"\nignore = [\"amount\", \"sent\"]",
        "hash = [\"amount\"]\nignore = []",
    ] {
        assert_eq!(request(sent, hash), Vec::<String>::new(), "{hash}");
    }
}

#[test]
fn a_workflow_without_effects_needs_no_hash() {
    let given = Given {
        request: "",
        effects: "",
        ..Given::default()
    };
    assert_eq!(given.rules(), ["no-effects warn"]);
}

#[test]
fn a_hash_of_key_fields_alone_never_differs() {
    assert_eq!(
        request("", "hash = [\"refund_id\"]"),
        ["hash-repeats-key warn"]
    );
    assert_eq!(
        request("", "hash = [\"refund_id\", \"tenant_id\"]"),
        ["hash-repeats-key warn"]
    );
    assert_eq!(
        request("", "hash = [\"refund_id\", \"amount\"]"),
        Vec::<String>::new()
    );
    assert_eq!(request("", "hash = \"all\""), Vec::<String>::new());
    let given = Given {
        request: "hash = [\"refund_id\"]",
        ..Given::default()
    };
    assert_eq!(after_the_fix(&given), Vec::<String>::new());
}

#[test]
fn what_differs_between_honest_retries_is_refused_in_the_hash() {
    for field in [
        "what = { type = \"timestamp\" }",
        "what = { type = \"string\", origin = \"clock\" }",
        "what = { type = \"string\", origin = \"random\" }",
        "what = { type = \"integer\", origin = \"attempt\" }",
        "what = { type = \"string\", origin = \"environment\" }",
        "attempt = { type = \"integer\" }",
        "signature = { type = \"string\" }",
        "hmac_signature = { type = \"string\" }",
        "\"headers.Stripe-Signature\" = { type = \"string\" }",
        "traceparent = { type = \"string\" }",
    ] {
        let name = field
            .split(" =")
            .next()
            .unwrap_or_default()
            .trim_matches('"');
        let listed = Given {
            payload: field,
            request: &format!("hash = [\"amount\", \"{name}\"]"),
            ..Given::default()
        };
        assert_eq!(listed.rules(), ["volatile-hash-field error"], "{field}");
        assert_eq!(after_the_fix(&listed), Vec::<String>::new(), "{field}");
        let all = Given {
            payload: field,
            request: "hash = \"all\"",
            ..Given::default()
        };
        assert_eq!(all.rules(), ["volatile-hash-field error"], "{field}");
        assert_eq!(after_the_fix(&all), Vec::<String>::new(), "{field}");
        assert_eq!(
            request(field, &format!("hash = \"all\"\nignore = [\"{name}\"]")),
            Vec::<String>::new(),
            "{field}"
        );
    }
}

#[test]
fn a_date_and_a_stated_id_belong_into_the_hash() {
    for field in [
        "due = { type = \"date\" }",
        "created_on = { type = \"string\" }",
        "payment_attempt_id = { type = \"uuid\", origin = \"source-id\" }",
        "signature_page = { type = \"integer\" }",
    ] {
        assert_eq!(
            request(field, "hash = \"all\""),
            Vec::<String>::new(),
            "{field}"
        );
    }
}

#[test]
fn one_edit_takes_every_changing_field_out_of_all() {
    let given = Given {
        payload: "sent = { type = \"timestamp\" }\nsignature = { type = \"string\" }",
        request: "hash = \"all\"",
        ..Given::default()
    };
    let found = given.findings();
    assert_eq!(
        rules(&found),
        ["volatile-hash-field error", "volatile-hash-field error"]
    );
    let fixes: Vec<_> = found
        .iter()
        .filter_map(|finding| finding.fix.as_ref())
        .collect();
    assert_eq!(fixes.len(), 1);
    assert!(
        fixes[0].edits[0]
            .text
            .contains("ignore = [\"sent\", \"signature\"]")
    );
}

fn response(payload: &str, response: &str) -> Vec<String> {
    Given {
        payload,
        response,
        ..Given::default()
    }
    .rules()
}

#[test]
fn whole_responses_have_a_limit() {
    assert_eq!(response("", "keep = \"full\""), ["unlimited-response warn"]);
    assert_eq!(response("", ""), ["unlimited-response warn"]);
    assert_eq!(response("", "keep = \"tombstone\""), Vec::<String>::new());
    assert_eq!(response("", "keep = 7"), ["wrong-type error"]);
    let given = Given {
        response: "keep = \"full\"",
        ..Given::default()
    };
    assert_eq!(after_the_fix(&given), Vec::<String>::new());
}

#[test]
fn personal_data_is_redacted_or_not_kept() {
    let reason = "reason = { type = \"string\", required = false, personal = true }";
    let kept = "keep = \"full\"\nmax_bytes = \"4KiB\"";
    assert_eq!(response(reason, kept), ["personal-data-in-response warn"]);
    for settled in [
        "keep = \"full\"\nmax_bytes = \"4KiB\"\nredact = [\"reason\"]",
        "keep = \"full\"\nmax_bytes = \"4KiB\"\nredact = [\"result.reason\"]",
        "keep = \"tombstone\"",
    ] {
        assert_eq!(response(reason, settled), Vec::<String>::new(), "{settled}");
    }
    let two = format!("{reason}\nnote = {{ type = \"string\", personal = true }}");
    let found = Given {
        payload: &two,
        response: "keep = \"full\"\nmax_bytes = \"4KiB\"\nredact = [\"reason\"]",
        ..Given::default()
    }
    .findings();
    assert_eq!(rules(&found), ["personal-data-in-response warn"]);
    assert!(found[0].message.contains("`note`") && !found[0].message.contains("`reason`"));
}
