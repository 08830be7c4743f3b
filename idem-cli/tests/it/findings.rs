//! Findings as a person reads them.

use crate::sandbox::{REFUND, Sandbox, edited};

fn lint(text: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox
        .file("refund-order.toml", text)
        .run(&["lint", "refund-order.toml"])
        .out
}

#[test]
fn a_finding_shows_the_text_the_reason_and_what_to_write() {
    let text = edited(REFUND, "lease        = \"30s\"\n", "");
    insta::assert_snapshot!("finding_missing_lease", lint(&text));
}

#[test]
fn a_race_is_told_worker_by_worker_beside_both_places() {
    let text = edited(REFUND, "change = \"insert\"", "change = \"set\"");
    insta::assert_snapshot!("finding_with_a_race", lint(&text));
}

#[test]
fn mistakes_of_the_format_are_shown_all_at_once() {
    let text = edited(REFUND, "version  = 1 ", "version  = \"one\" ");
    let text = edited(&text, "kind            = \"webhook\"", "kind = \"webhok\"");
    let text = edited(&text, "lease        = \"30s\"", "lese = \"30s\"");
    let text = edited(&text, "max_attempts = 5", "max_attempts = ");
    insta::assert_snapshot!("findings_of_the_format", lint(&text));
}

#[test]
fn wide_characters_do_not_shift_the_underline() {
    let text = edited(
        REFUND,
        "fields = [\"tenant_id\", \"refund_id\"]",
        "fields = [\"店舗\", \"🦀\", \"refund_id\", \"refnd_id\"]",
    );
    let text = edited(
        &text,
        "[payload]",
        "[payload]\n\"店舗\" = { type = \"string\", origin = \"authenticated\" }\n\"🦀\" = { type = \"string\", origin = \"business-id\" }",
    );
    insta::assert_snapshot!("finding_behind_wide_characters", lint(&text));
}
