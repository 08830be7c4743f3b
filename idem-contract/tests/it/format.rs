//! What the parser advises: what is written as it says settles the finding.

use crate::support::{Given, applied, findings, rules};

/// The one finding of a contract in which `right` is replaced by `wrong`.
fn help(right: &str, wrong: &str) -> String {
    let text = Given::default().text();
    assert!(text.contains(right), "{right}");
    let found = findings(&text.replacen(right, wrong, 1));
    assert_eq!(rules(&found).len(), 1, "{wrong}: {:?}", rules(&found));
    found[0].help.clone()
}

#[test]
fn a_number_of_another_type_is_advised_as_it_was_meant() {
    for (right, wrong, advice) in [
        ("contract = 1", "contract = \"1\"", "write `contract = 1`"),
        ("version = 1", "version = \"12\"", "write `version = 12`"),
        ("version = 1", "version = \"x\"", "write `version = 1`"),
        ("batch = 1000", "batch = \"500\"", "write `batch = 500`"),
        ("batch = 1000", "batch = 1.5", "write `batch = 1000`"),
        ("deadline = \"4h\"", "deadline = 8", "`deadline = \"8s\"`"),
        ("deadline = \"4h\"", "deadline = -1", "`deadline = \"30s\"`"),
        (
            "max_bytes = \"16KiB\"",
            "max_bytes = 16384",
            "`max_bytes = \"16384B\"`",
        ),
        (
            "amount = { type = \"decimal\" }",
            "amount = \"decimal\"",
            "write `amount = { type = \"decimal\" }`",
        ),
    ] {
        let help = help(right, wrong);
        assert!(help.contains(advice), "{wrong}: {help}");
    }
}

#[test]
fn a_misspelt_setting_is_renamed_unless_the_right_one_is_there_too() {
    let alone = help("lease = \"30s\"", "laese = \"30s\"");
    assert_eq!(alone, "did you mean `lease`?");
    let text = Given::default()
        .text()
        .replacen("lease =", "laese = \"1m\"\nlease =", 1);
    let found = findings(&text);
    assert_eq!(rules(&found), ["unknown-field error"]);
    assert_eq!(
        found[0].help,
        "`lease` is there already: take one of the two out"
    );
    assert!(found[0].fix.is_none());
}

#[test]
fn a_setting_in_the_wrong_table_is_one_finding_and_hides_no_other() {
    let base = Given::default().text();
    let moved = |line: &str, more: &str| {
        assert!(base.contains(line), "{line}");
        let text = base.replacen(line, "", 1).replacen(more, "", 1);
        findings(&format!("{}\n{line}", text.trim_end()))
    };
    // What stands at the end belongs to `[cleanup]`.
    let owner = moved("owner = \"team-payments\"\n", "");
    assert_eq!(rules(&owner), ["unknown-field error"]);
    assert!(
        owner[0].help.contains("at the top of the file"),
        "{owner:?}"
    );
    let lease = moved("lease = \"30s\"\n", "");
    assert_eq!(rules(&lease), ["unknown-field error"]);
    assert_eq!(lease[0].help, "`lease` belongs in `[claim]`: move it there");
    let two = moved("lease = \"30s\"\n", "window = \"30d\"\n");
    assert_eq!(rules(&two), ["missing-window error", "unknown-field error"]);
    let timeout = findings(
        &base
            .replacen("lease =", "timeout = \"5s\"\nlease =", 1)
            .replacen("hash = [\"amount\"]", "hash = [\"amuont\"]", 1),
    );
    assert_eq!(
        rules(&timeout),
        ["undeclared-field error", "unknown-field error"]
    );
    let two = moved("version = 1\n", "owner = \"team-payments\"\n");
    assert_eq!(rules(&two), ["missing-field error", "unknown-field error"]);
}

#[test]
fn an_edit_that_names_a_field_quotes_it() {
    let given = Given {
        payload: r#"'the "total" \ sum' = { type = "decimal" }"#,
        request: "",
        ..Given::default()
    };
    let found = given.findings();
    assert_eq!(rules(&found), ["missing-request-hash error"]);
    let fix = found[0].fix.as_ref().expect("an edit");
    let after = findings(&applied(&given.text(), fix));
    assert_eq!(rules(&after), Vec::<String>::new());
}

#[test]
fn a_list_that_may_be_empty_is_no_mistake() {
    for (right, empty) in [
        (
            "max_bytes = \"16KiB\"",
            "max_bytes = \"16KiB\"\nredact = []",
        ),
        ("hash = [\"amount\"]", "hash = [\"amount\"]\nignore = []"),
    ] {
        let text = Given::default().text();
        let found = findings(&text.replacen(right, empty, 1));
        assert_eq!(rules(&found), Vec::<String>::new(), "{empty}");
    }
}
