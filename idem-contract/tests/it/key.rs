//! What a key is made of.

use crate::support::{Given, applied, findings, rules, with_part};

#[test]
fn the_contract_that_the_others_vary_is_clean() {
    assert_eq!(Given::default().rules(), Vec::<String>::new());
}

#[test]
fn each_lying_origin_is_one_finding() {
    for (origin, rule) in [
        ("clock", "clock-in-key"),
        ("random", "random-in-key"),
        ("position", "position-in-key"),
        ("attempt", "attempt-in-key"),
        ("environment", "environment-in-key"),
    ] {
        // The type, the name and the origin are all wrong, and one of them is enough.
        for name in ["value", "started_at", "delivery_tag", "created_ts", "i"] {
            for kind in ["string", "timestamp", "float"] {
                let found = with_part(&format!(
                    "{name} = {{ type = \"{kind}\", origin = \"{origin}\", required = false }}"
                ));
                assert_eq!(found, [format!("{rule} error")], "{name} {kind}");
            }
        }
    }
}

#[test]
fn a_denied_name_is_refused_whatever_origin_is_stated() {
    for (name, rule) in [
        ("received_at", "clock-in-key"),
        ("current_date", "clock-in-key"),
        ("nonce", "random-in-key"),
        ("token", "random-in-key"),
        ("idx", "position-in-key"),
        ("row_number", "position-in-key"),
        ("batch_offset", "position-in-key"),
        ("deliveryTag", "attempt-in-key"),
        ("receipt_handle", "attempt-in-key"),
        ("redelivered", "attempt-in-key"),
        ("trace_id", "attempt-in-key"),
        ("X-Amzn-Trace-Id", "attempt-in-key"),
        ("attempt", "attempt-in-key"),
        ("hostname", "environment-in-key"),
        ("pid", "environment-in-key"),
        ("worker_id", "environment-in-key"),
    ] {
        for origin in [
            "source-id",
            "business-id",
            "source-sequence",
            "stored-before-attempt",
        ] {
            for name in [name.to_owned(), format!("\"message.{name}\"")] {
                let found = with_part(&format!(
                    "{name} = {{ type = \"string\", origin = \"{origin}\" }}"
                ));
                assert_eq!(found, [format!("{rule} error")], "{name} {origin}");
            }
        }
    }
}

#[test]
fn names_that_only_resemble_a_denied_one_are_fine() {
    for name in [
        "payment_attempt_id",
        "delivered_parcel_id",
        "host_club_id",
        "indexed_fund_id",
        "hourly_rate_plan_id",
        "token_holder_id",
        "retry_policy_id",
        "consumer_contract_id",
        "\"build.id\"",
        "\"attempt.payment.id\"",
    ] {
        let found = with_part(&format!(
            "{name} = {{ type = \"string\", origin = \"source-id\" }}"
        ));
        assert_eq!(found, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_denied_name_is_silenced_with_a_reason_and_not_without() {
    let part = "attempt = { type = \"integer\", origin = \"business-id\" }";
    let key = "fields = [\"tenant_id\", \"order_id\", \"attempt\"]\ntenant = \"tenant_id\"";
    let allow = "[[allow]]\nrule = \"attempt-in-key\"\nfield = \"attempt\"\n";
    let allowed = Given {
        payload: part,
        key,
        rest: &format!(
            "{allow}reason = \"The dunning attempt is an ordinal of the subscription.\""
        ),
        ..Given::default()
    };
    assert_eq!(allowed.rules(), Vec::<String>::new());
    let unreasoned = Given {
        payload: part,
        key,
        rest: allow,
        ..Given::default()
    };
    assert_eq!(
        unreasoned.rules(),
        ["attempt-in-key error", "allow-without-reason error"]
    );
}

#[test]
fn a_generator_as_a_default_is_drawn_or_read_from_a_clock() {
    for (default, rule) in [
        ("uuid()", "random-in-key"),
        ("gen_random_uuid()", "random-in-key"),
        ("ulid()", "random-in-key"),
        ("make_one()", "random-in-key"),
        ("now()", "clock-in-key"),
        ("Uuid::new_v4", "random-in-key"),
        ("uuid::Uuid::now_v7", "random-in-key"),
        ("Utc::now()", "clock-in-key"),
        ("chrono::Utc::now", "clock-in-key"),
        ("today()", "clock-in-key"),
    ] {
        let found = with_part(&format!(
            "intent_id = {{ type = \"string\", origin = \"source-id\", default = \"{default}\" }}"
        ));
        assert_eq!(found, [format!("{rule} error")], "{default}");
    }
}

#[test]
fn a_constant_default_and_an_absence_are_two_rules_and_one_finding() {
    let found = with_part(
        "region = { type = \"string\", origin = \"business-id\", required = false, default = \"eu\" }",
    );
    assert_eq!(found, ["default-in-key error"]);
    let found =
        with_part("region = { type = \"string\", origin = \"business-id\", required = false }");
    assert_eq!(found, ["optional-key-part error"]);
    let found =
        with_part("region = { type = \"string\", origin = \"business-id\", required = true }");
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_time_is_no_identity_and_a_business_date_is_fine() {
    let time = |kind: &str, origin: &str| {
        with_part(&format!(
            "due = {{ type = \"{kind}\", origin = \"{origin}\" }}"
        ))
    };
    for origin in [
        "source-id",
        "business-id",
        "stored-before-attempt",
        "content",
    ] {
        let found = time("timestamp", origin);
        let found: Vec<_> = found
            .iter()
            .filter(|rule| !rule.starts_with("payload-hash-key"))
            .collect();
        assert_eq!(found, ["timestamp-in-key error"], "{origin}");
    }
    assert_eq!(time("date", "business-id"), Vec::<String>::new());
    assert_eq!(time("date", "source-id"), ["timestamp-in-key error"]);
    // Without an origin the missing origin is what is wrong with a date, and a time needs none.
    assert_eq!(
        with_part("due = { type = \"date\" }"),
        ["unstated-origin error"]
    );
    assert_eq!(
        with_part("due = { type = \"timestamp\" }"),
        ["timestamp-in-key error"]
    );
    // The name says no more than the type.
    assert_eq!(
        with_part("due_at = { type = \"timestamp\", origin = \"source-id\" }"),
        ["timestamp-in-key error"]
    );
}

#[test]
fn a_suspicious_name_is_a_warning_with_its_two_exceptions() {
    let part = |name: &str, kind: &str, origin: &str| {
        with_part(&format!(
            "{name} = {{ type = \"{kind}\", origin = \"{origin}\" }}"
        ))
    };
    for name in [
        "ts",
        "timestamp",
        "time",
        "n",
        "seq",
        "counter",
        "rand",
        "created_at",
        "createdAt",
        "event_ts",
        "event_time",
        "expires_ms",
        "item_idx",
    ] {
        assert_eq!(
            part(name, "integer", "business-id"),
            ["suspicious-key-name warn"],
            "{name}"
        );
        assert_eq!(
            part(name, "integer", "source-sequence"),
            Vec::<String>::new(),
            "{name}"
        );
        assert_eq!(
            part(name, "date", "business-id"),
            Vec::<String>::new(),
            "{name}"
        );
    }
    for name in [
        "format",
        "items",
        "system",
        "platform_id",
        "sequence",
        "chat",
        "timetable_id",
    ] {
        assert_eq!(
            part(name, "string", "source-id"),
            Vec::<String>::new(),
            "{name}"
        );
    }
}

#[test]
fn unknown_is_an_error_in_a_key_and_an_unreadable_origin_is_said_once() {
    assert_eq!(
        with_part("payment_id = { type = \"uuid\" }"),
        ["unstated-origin error"]
    );
    assert_eq!(
        with_part("payment_id = { type = \"uuid\", origin = \"sauce-id\" }"),
        ["unknown-value error"]
    );
    assert_eq!(
        with_part("payment_id = { type = \"uuid\", origin = 7 }"),
        ["wrong-type error"]
    );
}

#[test]
fn a_key_that_is_not_there_is_one_finding_and_only_where_there_are_effects() {
    let found = |key: &str| {
        Given {
            key,
            ..Given::default()
        }
        .rules()
    };
    assert_eq!(found(""), ["no-key error"]);
    assert_eq!(found("fields = []"), ["no-key error"]);
    assert_eq!(found("fields = 7"), ["wrong-type error"]);
    let harmless = Given {
        key: "",
        effects: "",
        ..Given::default()
    };
    assert_eq!(harmless.rules(), ["no-effects warn"]);
}

#[test]
fn an_undeclared_part_is_one_finding_with_its_near_match() {
    let given = Given {
        key: "fields = [\"tenant_id\", \"refund_di\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    let found = given.findings();
    assert_eq!(rules(&found), ["undeclared-key-field error"]);
    let fix = found[0].fix.as_ref().expect("one near match");
    assert!(fix.safe);
    assert_eq!(fix.edits[0].text, "\"refund_id\"");
    let literal = Given {
        key: "fields = [\"tenant_id\", \"order_id\", \"'manual'\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    assert_eq!(literal.rules(), ["undeclared-key-field error"]);
    let previous = Given {
        rest: "[[key.previous]]\nversion = 0\nfields = [\"gone\"]\nuntil = 2099-01-01",
        ..Given::default()
    };
    assert!(
        previous
            .rules()
            .contains(&"undeclared-key-field error".to_owned()),
        "{:?}",
        previous.rules()
    );
}

#[test]
fn a_part_that_stands_twice_is_taken_out_by_the_fix() {
    let given = Given {
        key: "fields = [\"tenant_id\", \"refund_id\", \"tenant_id\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    let found = given.findings();
    assert_eq!(rules(&found), ["duplicate-key-field error"]);
    let text = applied(&given.text(), found[0].fix.as_ref().expect("a fix"));
    assert_eq!(findings(&text), []);
    // What stands between the two may be a comment, and no fix deletes one.
    let commented = Given {
        key: "fields = [\"tenant_id\", \"refund_id\", # the refund\n \"tenant_id\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    assert_eq!(commented.findings()[0].fix, None);
}

#[test]
fn an_object_or_a_list_has_no_key_text() {
    for kind in ["object", "array"] {
        let found = with_part(&format!(
            "tags = {{ type = \"{kind}\", origin = \"source-id\" }}"
        ));
        assert_eq!(found, ["wrong-type error"], "{kind}");
    }
}

fn coarse(trigger: &str, payload: &str, fields: &str) -> Vec<String> {
    Given {
        trigger: &format!("kind = \"webhook\"\nredelivers_for = \"3d\"\n{trigger}"),
        payload,
        key: &format!("fields = [{fields}]\ntenant = \"tenant_id\""),
        ..Given::default()
    }
    .rules()
}

const SEVERAL: &str = "events = [\"order.paid\", \"order.cancelled\"]";

#[test]
fn several_events_need_their_type_in_a_key_that_names_only_the_thing() {
    let order = "\"tenant_id\", \"order_id\"";
    assert_eq!(coarse(SEVERAL, "", order), ["coarse-key error"]);
    assert_eq!(
        coarse("events = [\"order.paid\"]", "", order),
        Vec::<String>::new()
    );
    assert_eq!(coarse("", "", order), Vec::<String>::new());
    assert_eq!(
        coarse(
            SEVERAL,
            "kind = { type = \"string\", origin = \"event-type\" }",
            "\"tenant_id\", \"order_id\", \"kind\""
        ),
        Vec::<String>::new()
    );
}

#[test]
fn an_id_of_the_event_or_of_the_intent_is_never_coarse() {
    for origin in [
        "source-id",
        "stored-before-attempt",
        "source-sequence",
        "content",
    ] {
        let found = coarse(
            &format!("{SEVERAL}\nrepeats = true"),
            &format!("what = {{ type = \"string\", origin = \"{origin}\" }}"),
            "\"tenant_id\", \"what\"",
        );
        assert_eq!(found, Vec::<String>::new(), "{origin}");
    }
}

#[test]
fn what_repeats_needs_its_occasion() {
    let thing = "\"tenant_id\", \"order_id\"";
    assert_eq!(coarse("repeats = true", "", thing), ["coarse-key error"]);
    assert_eq!(coarse("repeats = false", "", thing), Vec::<String>::new());
    for occasion in [
        "due = { type = \"date\", origin = \"business-id\" }",
        "due = { type = \"string\", origin = \"business-id\" }",
    ] {
        let found = coarse(
            "repeats = true",
            occasion,
            "\"tenant_id\", \"order_id\", \"due\"",
        );
        assert_eq!(found, Vec::<String>::new(), "{occasion}");
    }
    // A flag or a word of a short list is no occasion.
    for part in [
        "due = { type = \"boolean\", origin = \"business-id\" }",
        "due = { type = \"enum\", values = [\"a\", \"b\"], origin = \"business-id\" }",
    ] {
        let found = coarse(
            "repeats = true",
            part,
            "\"tenant_id\", \"order_id\", \"due\"",
        );
        assert_eq!(found, ["coarse-key error"], "{part}");
    }
}

#[test]
fn a_schedule_always_repeats() {
    let schedule = |payload: &str, fields: &str| {
        Given {
            trigger: "kind = \"schedule\"",
            payload,
            key: &format!("fields = [{fields}]\ntenant = \"tenant_id\""),
            ..Given::default()
        }
        .rules()
    };
    assert_eq!(
        schedule("", "\"tenant_id\", \"order_id\""),
        ["coarse-key error"]
    );
    assert_eq!(
        schedule(
            "business_date = { type = \"date\", origin = \"business-id\" }",
            "\"tenant_id\", \"business_date\""
        ),
        Vec::<String>::new()
    );
    assert_eq!(
        schedule(
            "billing_period = { type = \"string\", origin = \"business-id\" }",
            "\"tenant_id\", \"billing_period\""
        ),
        Vec::<String>::new()
    );
}

#[test]
fn a_tenant_alone_and_words_alone_are_coarse() {
    assert_eq!(coarse("", "", "\"tenant_id\""), ["coarse-key error"]);
    for part in [
        "flag = { type = \"boolean\", origin = \"business-id\" }",
        "flag = { type = \"enum\", values = [\"a\", \"b\"], origin = \"business-id\" }",
        "flag = { type = \"string\", origin = \"event-type\" }",
        "flag = { type = \"string\", origin = \"log-generation\" }",
    ] {
        assert_eq!(
            coarse("", part, "\"tenant_id\", \"flag\""),
            ["coarse-key error"],
            "{part}"
        );
    }
}

#[test]
fn a_coarse_key_is_never_told_to_take_a_time_or_a_random_part() {
    for given in [
        Given {
            trigger: "kind = \"webhook\"\nredelivers_for = \"3d\"\nrepeats = true",
            key: "fields = [\"tenant_id\", \"order_id\"]\ntenant = \"tenant_id\"",
            ..Given::default()
        },
        Given {
            key: "fields = [\"tenant_id\"]\ntenant = \"tenant_id\"",
            ..Given::default()
        },
    ] {
        let found = given.findings();
        assert_eq!(rules(&found), ["coarse-key error"]);
        assert!(
            found[0]
                .help
                .starts_with("store an intent id when the user starts the action"),
            "{}",
            found[0].help
        );
        for word in ["timestamp", "random", "now", "uuid"] {
            assert!(!found[0].help.contains(word), "{}", found[0].help);
        }
        // The payload has a better field, and taking it changes the key.
        let fix = found[0].fix.as_ref().expect("refund_id is there");
        assert!(!fix.safe);
        assert_eq!(fix.edits[0].text, ", \"refund_id\"");
    }
}

#[test]
fn nothing_is_concluded_from_a_key_with_a_refused_part() {
    let found = coarse(
        "repeats = true",
        "now = { type = \"timestamp\", origin = \"clock\" }",
        "\"tenant_id\", \"order_id\", \"now\"",
    );
    assert_eq!(found, ["clock-in-key error"]);
    let found = coarse("repeats = true", "", "\"tenant_id\", \"odrer\"");
    assert_eq!(found, ["undeclared-key-field error"]);
}

fn broker(fields: &[(&str, &str)]) -> Vec<String> {
    let payload: Vec<String> = fields
        .iter()
        .map(|(name, origin)| format!("{name} = {{ type = \"string\", origin = \"{origin}\" }}"))
        .collect();
    let names: Vec<String> = fields
        .iter()
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    Given {
        trigger: "kind = \"stream\"\nredelivers_for = \"3d\"\nordered = true",
        payload: &payload.join("\n"),
        key: &format!(
            "fields = [\"tenant_id\", {}]\ntenant = \"tenant_id\"",
            names.join(", ")
        ),
        ..Given::default()
    }
    .rules()
}

#[test]
fn coordinates_hold_as_a_whole_and_inside_one_log() {
    const P: &str = "broker-position";
    let whole = [("topic", P), ("partition", P), ("offset", P)];
    assert_eq!(broker(&whole), ["broker-position-in-key warn"]);
    assert_eq!(
        broker(&[
            whole[0],
            whole[1],
            whole[2],
            ("cluster_id", "log-generation")
        ]),
        Vec::<String>::new()
    );
    for part in [
        vec![("offset", P)],
        vec![("partition", P), ("offset", P)],
        vec![
            ("topic", P),
            ("offset", P),
            ("cluster_id", "log-generation"),
        ],
        vec![("offset", "source-id")],
    ] {
        assert_eq!(broker(&part), ["broker-position-in-key error"], "{part:?}");
    }
    assert_eq!(
        broker(&[
            ("stream", P),
            ("stream_sequence", P),
            ("stream_id", "log-generation")
        ]),
        Vec::<String>::new(),
        "a stream without partitions"
    );
}

#[test]
fn a_source_is_believed_about_its_own_ids() {
    let found = |source: &str, name: &str| {
        Given {
            trigger: &format!("kind = \"webhook\"\nsource = \"{source}\"\nredelivers_for = \"3d\""),
            payload: &format!("{name} = {{ type = \"string\", origin = \"source-id\" }}"),
            key: &format!("fields = [\"tenant_id\", \"{name}\"]\ntenant = \"tenant_id\""),
            ..Given::default()
        }
        .rules()
    };
    assert_eq!(
        found("cybersource", "webhook_id"),
        ["known-unstable-id warn"]
    );
    assert_eq!(found("our-shop", "webhook_id"), Vec::<String>::new());
    assert_eq!(found("paddle", "event_id"), Vec::<String>::new());
    // Refused from any source: once.
    assert_eq!(found("sqs", "receipt_handle"), ["attempt-in-key error"]);
}

#[test]
fn text_people_and_amounts_in_a_key_are_warnings() {
    let part = |name: &str, kind: &str, origin: &str| {
        with_part(&format!(
            "{name} = {{ type = \"{kind}\", origin = \"{origin}\" }}"
        ))
    };
    assert_eq!(
        part("title", "string", "business-id"),
        ["unnormalised-text-in-key warn"]
    );
    assert_eq!(part("title", "string", "source-id"), Vec::<String>::new());
    assert_eq!(
        part("title_id", "string", "business-id"),
        Vec::<String>::new()
    );
    assert_eq!(
        part("email", "string", "business-id"),
        ["personal-data-in-key warn"]
    );
    for name in ["api_key", "customer_email", "buyer.api_token"] {
        assert_eq!(
            part(&format!("\"{name}\""), "string", "source-id"),
            ["personal-data-in-key warn"],
            "{name}"
        );
    }
    for name in ["email_hash", "emailed", "phone_id", "queue_name"] {
        assert_eq!(part(name, "string", "business-id"), Vec::<String>::new());
    }
    assert_eq!(
        part("customer_name", "string", "business-id"),
        ["unnormalised-text-in-key warn"]
    );
    assert_eq!(part("email", "string", "content"), Vec::<String>::new());
    assert_eq!(
        part("total", "decimal", "business-id"),
        ["mutable-key-part warn"]
    );
    assert_eq!(
        part("order_status", "string", "business-id"),
        ["mutable-key-part warn"]
    );
    assert_eq!(part("total", "decimal", "source-id"), Vec::<String>::new());
    assert_eq!(
        part("status_page_id", "string", "business-id"),
        Vec::<String>::new()
    );
    let disclaimed =
        with_part("address = { type = \"string\", origin = \"business-id\", personal = false }");
    assert_eq!(disclaimed, Vec::<String>::new());
}

#[test]
fn a_digest_is_weak_only_beside_changing_fields() {
    let digest = "digest = { type = \"string\", origin = \"content\" }";
    assert_eq!(with_part(digest), Vec::<String>::new());
    for changing in [
        "sent = { type = \"timestamp\" }",
        "signature = { type = \"string\" }",
        "attempt = { type = \"integer\" }",
        "stamp = { type = \"string\", origin = \"clock\" }",
    ] {
        let given = Given {
            payload: &format!("{digest}\n{changing}"),
            key: "fields = [\"tenant_id\", \"digest\"]\ntenant = \"tenant_id\"",
            ..Given::default()
        };
        assert_eq!(given.rules(), ["payload-hash-key warn"], "{changing}");
    }
    let beside_an_id = Given {
        payload: &format!("{digest}\nsent = {{ type = \"timestamp\" }}"),
        key: "fields = [\"tenant_id\", \"refund_id\", \"digest\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    let found = beside_an_id.findings();
    assert_eq!(
        found[0].help,
        "leave `digest` out: `refund_id` tells the events apart"
    );
    let dated = Given {
        payload: &format!("{digest}\ndue = {{ type = \"date\" }}"),
        key: "fields = [\"tenant_id\", \"digest\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    assert_eq!(dated.rules(), Vec::<String>::new());
}

#[test]
fn a_long_key_is_a_remark_and_texts_are_not_guessed() {
    let ids = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!("part{at}x")).collect();
        let payload: Vec<String> = names
            .iter()
            .map(|name| format!("{name} = {{ type = \"uuid\", origin = \"source-id\" }}"))
            .collect();
        let fields: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        Given {
            payload: &payload.join("\n"),
            key: &format!(
                "fields = [\"tenant_id\", {}]\ntenant = \"tenant_id\"",
                fields.join(", ")
            ),
            ..Given::default()
        }
        .rules()
    };
    assert_eq!(ids(6), Vec::<String>::new());
    assert_eq!(ids(7), ["key-too-long info"]);
}

#[test]
fn the_finding_points_at_the_part_and_at_its_declaration() {
    let given = Given {
        payload: "stamp = { type = \"string\", origin = \"clock\" }",
        key: "fields = [\"tenant_id\", \"stamp\"]\ntenant = \"tenant_id\"",
        ..Given::default()
    };
    let text = given.text();
    let found = given.findings();
    assert_eq!(found[0].path, "key.fields.stamp");
    assert_eq!(&text[found[0].span.start..found[0].span.end], "\"stamp\"");
    let also = &found[0].related[0];
    assert_eq!(&text[also.span.start..also.span.end], "\"clock\"");
    assert_eq!(found[0].interleaving.len(), 2);
    assert!(found[0].interleaving[0].starts_with("worker A: "));
    assert!(found[0].interleaving[1].starts_with("worker B: "));
}

#[test]
fn a_silence_that_is_over_silences_nothing() {
    let dated = Given {
        payload: "slot = { type = \"timestamp\", origin = \"business-id\" }",
        key: "fields = [\"tenant_id\", \"refund_id\", \"slot\"]\ntenant = \"tenant_id\"",
        rest: "[[allow]]\nrule = \"timestamp-in-key\"\nfield = \"slot\"\nreason = \"Chosen and stored.\"\nuntil = 2026-11-29",
        ..Given::default()
    };
    assert_eq!(
        dated.rules(),
        ["timestamp-in-key error", "expired-allow error"]
    );
}
