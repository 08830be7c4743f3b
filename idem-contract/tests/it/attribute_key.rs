//! Keys as an attribute states them: expressions, by the names they mention.

use idem_contract::{
    Check, Diagnostic, Findings, KeyExpr, KeyPlace, Mention, Part, PartKind, Role, Span, rules,
};

/// A part by its mentions, outermost first: (role, path).
fn part(name: &str, kind: PartKind, mentions: &[(Role, &str)]) -> Part {
    let mut part = Part::new(name, kind, Span::new(0, 9));
    part.mentions = mentions
        .iter()
        .enumerate()
        .map(|(at, (role, path))| Mention {
            role: *role,
            name: path
                .rsplit(['.', ':'])
                .next()
                .unwrap_or_default()
                .to_owned(),
            path: (*path).to_owned(),
            span: Span::new(at, at + 1),
        })
        .collect();
    part
}

/// The rules that a key of these parts raises, each with the path it names.
fn raised(parts: Vec<Part>) -> Vec<(&'static str, Diagnostic)> {
    let key = KeyExpr {
        place: KeyPlace::Attribute,
        span: Span::new(0, 99),
        parts,
    };
    let mut out = Vec::new();
    for rule in rules::ALL {
        if let Check::Key(check) = rule.check {
            check(&key, &mut Findings::new(rule, &mut out));
        }
    }
    out.into_iter().map(|found| (found.rule, found)).collect()
}

fn ids(parts: Vec<Part>) -> Vec<&'static str> {
    raised(parts).into_iter().map(|(rule, _)| rule).collect()
}

fn honest() -> Part {
    part(
        "refund_id",
        PartKind::Field,
        &[(Role::Argument, "event"), (Role::Field, "event.refund_id")],
    )
}

#[test]
fn an_honest_key_raises_nothing() {
    let nested = part(
        "customer.id",
        PartKind::Field,
        &[
            (Role::Argument, "event"),
            (Role::Field, "event.customer"),
            (Role::Field, "event.customer.id"),
        ],
    );
    let step = part(
        "build.id",
        PartKind::Field,
        &[
            (Role::Argument, "event"),
            (Role::Field, "event.build"),
            (Role::Field, "event.build.id"),
        ],
    );
    let constant = part("\"refund\"", PartKind::Constant, &[]);
    let accessor = part(
        "event.order_id()",
        PartKind::Call,
        &[(Role::Method, "event.order_id"), (Role::Argument, "event")],
    );
    assert_eq!(
        ids(vec![honest(), nested, step, constant, accessor]),
        Vec::<&str>::new()
    );
}

#[test]
fn a_clock_is_one_finding_at_the_call_that_reads_it() {
    let found = raised(vec![
        honest(),
        part(
            "SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis()",
            PartKind::Call,
            &[
                (Role::Method, "as_millis"),
                (Role::Method, "duration_since"),
                (Role::Call, "SystemTime::now"),
                (Role::Path, "UNIX_EPOCH"),
            ],
        ),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    let (rule, finding) = &found[0];
    assert_eq!(*rule, "clock-in-key");
    assert_eq!(finding.span, Span::new(2, 3));
    assert!(
        finding.message.contains("`SystemTime::now`"),
        "{}",
        finding.message
    );
    assert!(
        finding.help.contains("store an intent id"),
        "{}",
        finding.help
    );
}

#[test]
fn an_alias_an_injected_clock_and_a_passed_function_hide_nothing() {
    for mentions in [
        vec![(Role::Call, "Clock::now")],
        vec![(Role::Method, "clock.now"), (Role::Argument, "clock")],
        vec![
            (Role::Method, "map"),
            (Role::Call, "T::now"),
            (Role::Argument, "event"),
        ],
        vec![(Role::Call, "Utc::today")],
    ] {
        let found = ids(vec![honest(), part("x", PartKind::Call, &mentions)]);
        assert_eq!(found, ["clock-in-key"], "{mentions:?}");
    }
}

#[test]
fn a_made_up_default_is_refused_twice_since_it_is_two_mistakes() {
    let found = ids(vec![
        honest(),
        part(
            "key.unwrap_or_else(|| Uuid::new_v4())",
            PartKind::Call,
            &[
                (Role::Method, "key.unwrap_or_else"),
                (Role::Argument, "key"),
                (Role::Call, "Uuid::new_v4"),
            ],
        ),
    ]);
    assert_eq!(found, ["default-in-key", "random-in-key"]);
}

#[test]
fn fields_of_one_delivery_are_refused_by_name_even_inside_a_call() {
    for (rule, mentions) in [
        (
            vec!["attempt-in-key"],
            vec![
                (Role::Argument, "delivery"),
                (Role::Field, "delivery.delivery_tag"),
            ],
        ),
        (
            vec!["attempt-in-key", "default-in-key"],
            vec![
                (Role::Method, "unwrap_or"),
                (Role::Method, "as_deref"),
                (Role::Argument, "msg"),
                (Role::Field, "msg.receipt_handle"),
            ],
        ),
        (
            vec!["attempt-in-key"],
            vec![
                (Role::Argument, "job"),
                (Role::Field, "job.attempt"),
                (Role::Field, "job.attempt.0"),
            ],
        ),
        (vec!["position-in-key"], vec![(Role::Argument, "i")]),
        (
            vec!["position-in-key"],
            vec![
                (Role::Method, "len"),
                (Role::Argument, "event"),
                (Role::Field, "event.items"),
            ],
        ),
        (
            vec!["environment-in-key"],
            vec![(Role::Call, "std::process::id")],
        ),
        (vec!["environment-in-key"], vec![(Role::Macro, "env")]),
        (
            vec!["random-in-key"],
            vec![(Role::Method, "finish"), (Role::Argument, "h")],
        ),
        (
            vec!["random-in-key"],
            vec![(Role::Call, "DefaultHasher::new")],
        ),
    ] {
        let mut found = ids(vec![honest(), part("x", PartKind::Call, &mentions)]);
        found.sort_unstable();
        assert_eq!(found, rule, "{mentions:?}");
    }
}

#[test]
fn joined_text_is_one_finding() {
    for (kind, mentions) in [
        (
            PartKind::Joined,
            vec![
                (Role::Macro, "format"),
                (Role::Argument, "a"),
                (Role::Argument, "b"),
            ],
        ),
        (
            PartKind::Call,
            vec![(Role::Method, "join"), (Role::Argument, "parts")],
        ),
        (
            PartKind::Joined,
            vec![(Role::Argument, "a"), (Role::Argument, "b")],
        ),
    ] {
        assert_eq!(
            ids(vec![honest(), part("x", kind, &mentions)]),
            ["joined-key-text"],
            "{mentions:?}"
        );
    }
}

#[test]
fn a_clock_in_joined_text_is_two_mistakes() {
    let found = ids(vec![
        honest(),
        part(
            "format!(\"{}{}\", event.id, Utc::now())",
            PartKind::Joined,
            &[
                (Role::Macro, "format"),
                (Role::Argument, "event"),
                (Role::Field, "event.id"),
                (Role::Call, "Utc::now"),
            ],
        ),
    ]);
    assert_eq!(found, ["clock-in-key", "joined-key-text"]);
}

#[test]
fn a_serialised_request_is_refused_in_our_words() {
    let found = ids(vec![
        honest(),
        part(
            "sha256(serde_json::to_vec(&req))",
            PartKind::Call,
            &[
                (Role::Call, "sha256"),
                (Role::Call, "serde_json::to_vec"),
                (Role::Argument, "req"),
            ],
        ),
    ]);
    assert_eq!(found, ["impure-key"]);
}

#[test]
fn a_key_without_the_event_is_constant_and_a_clock_alone_is_a_clock() {
    let word = || part("\"manual\"", PartKind::Constant, &[]);
    assert_eq!(ids(vec![word()]), ["constant-key"]);
    assert_eq!(
        ids(vec![
            word(),
            part("KIND", PartKind::Constant, &[(Role::Path, "KIND")])
        ]),
        ["constant-key"]
    );
    assert_eq!(ids(vec![word(), honest()]), Vec::<&str>::new());
    assert_eq!(
        ids(vec![part("now()", PartKind::Call, &[(Role::Call, "now")])]),
        ["clock-in-key"]
    );
}

#[test]
fn a_nil_id_stands_for_nothing_and_a_swallowed_error_for_an_absence() {
    assert_eq!(
        ids(vec![
            honest(),
            part("Uuid::nil()", PartKind::Call, &[(Role::Call, "Uuid::nil")])
        ]),
        ["default-in-key"]
    );
    assert_eq!(
        ids(vec![
            honest(),
            part(
                "event.id().ok()",
                PartKind::Call,
                &[(Role::Method, "ok"), (Role::Argument, "event")]
            )
        ]),
        ["optional-key-part"]
    );
}

#[test]
fn one_part_twice_is_told_without_an_edit_of_tokens() {
    let found = raised(vec![honest(), honest()]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "duplicate-key-field");
    assert_eq!(found[0].1.fix, None);
}

#[test]
fn names_count_inside_trust_too() {
    let mut trusted = part(
        "trust(clock.now(), reason = \"…\")",
        PartKind::Call,
        &[(Role::Method, "clock.now"), (Role::Argument, "clock")],
    );
    trusted.trusted = true;
    assert_eq!(ids(vec![honest(), trusted]), ["clock-in-key"]);
}
