use super::*;
use crate::rules::examples::{TODAY, contract, findings};
use crate::{Diagnostic, Fix, Window};

fn lock_of(snippet: &str) -> Lock {
    Lock::of(&[&contract(snippet)])
}

/// What changes from `before`, locked, to `after`, as rules and messages.
fn told(before: &str, after: &str) -> Vec<(Option<usize>, Diagnostic)> {
    let lock = Lock::parse(&lock_of(before).to_string()).expect("a lockfile");
    let after = contract(after);
    check(
        Some(&lock),
        "contracts/idem.lock",
        &[("refund-order.toml", &after)],
        TODAY,
    )
}

fn ids(before: &str, after: &str) -> Vec<&'static str> {
    told(before, after)
        .iter()
        .map(|(_, finding)| finding.rule)
        .collect()
}

#[test]
fn a_lockfile_reads_back_what_it_wrote() {
    let lock = Lock::of(&[
        &contract(""),
        &contract("workflow = \"b-flow\"\n[request]\nhash = \"all\"\nignore = [\"occurred_at\"]\n"),
        &contract("workflow = \"a-flow\"\n[request]\nhash = \"none\"\n"),
    ]);
    let text = lock.to_string();
    assert_eq!(Lock::parse(&text), Ok(lock.clone()));
    let names: Vec<&str> = lock
        .workflows
        .iter()
        .map(|locked| locked.name.as_str())
        .collect();
    assert_eq!(names, ["a-flow", "b-flow", "refund-order"]);
    let all: Vec<&str> = lock.workflows[1]
        .hash
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(all, ["amount", "currency", "order_id", "sequence"]);
    assert_eq!(
        lock.find("a-flow").map(|locked| locked.window),
        Some(Some(Window::For(std::time::Duration::from_secs(
            30 * 86_400
        ))))
    );
}

#[test]
fn the_lockfile_is_readable() {
    insta::assert_snapshot!("lockfile", lock_of("").to_string());
}

#[test]
fn nothing_changed_is_nothing_found() {
    assert!(ids("", "").is_empty());
    let other = "owner = \"someone-else\"\nsummary = \"Other words.\"\n";
    assert!(ids("", other).is_empty());
    assert!(
        ids(
            "",
            "[request]\nhash = [\"currency\", \"amount\", \"order_id\"]\n"
        )
        .is_empty()
    );
}

const NEW_KEY: &str =
    "[key]\nfields = [\"tenant_id\", \"order_id\", \"refund_id\"]\ntenant = \"tenant_id\"\n";

#[test]
fn another_key_needs_a_new_version_and_the_old_recipe() {
    let previous = "[[key.previous]]\nversion = 2\nfields = [\"tenant_id\", \"refund_id\"]\n";
    let raised = format!("version = 3\n{NEW_KEY}");
    assert_eq!(ids("", NEW_KEY), ["key-recipe-changed"]);
    assert_eq!(ids("", &raised), ["key-recipe-changed"]);
    assert_eq!(ids("", &format!("{raised}{previous}")), ["stale-lock"]);
    let wrong = "[[key.previous]]\nversion = 2\nfields = [\"refund_id\", \"tenant_id\"]\n";
    assert_eq!(ids("", &format!("{raised}{wrong}")), ["key-recipe-changed"]);
    let older = "[[key.previous]]\nversion = 1\nfields = [\"tenant_id\", \"refund_id\"]\n";
    assert_eq!(ids("", &format!("{raised}{older}")), ["key-recipe-changed"]);
    assert_eq!(
        ids("", &format!("{NEW_KEY}{previous}")),
        ["key-recipe-changed"]
    );
}

#[test]
fn the_finding_says_what_to_write() {
    let (_, finding) = told("", NEW_KEY).remove(0);
    assert_eq!(
        finding.help,
        "write `version = 3` and `[[key.previous]]` with `version = 2`, `fields = [\"tenant_id\", \"refund_id\"]` and an `until` behind the last retry"
    );
    assert_eq!(
        finding.related[0].file.as_deref(),
        Some("contracts/idem.lock")
    );
}

#[test]
fn order_type_version_and_consumer_are_parts_of_the_key() {
    let order = "[key]\nfields = [\"refund_id\", \"tenant_id\"]\ntenant = \"tenant_id\"\n";
    assert_eq!(ids("", order), ["key-recipe-changed"]);
    assert_eq!(ids("", "version = 3\n"), ["key-recipe-changed"]);
    assert_eq!(ids("", "version = 1\n"), ["key-recipe-changed"]);
    let trigger = |consumer: &str| {
        format!(
            "[trigger]\nkind = \"webhook\"\nredelivers_for = \"3d\"\nfan_out = true\n{consumer}"
        )
    };
    let (billing, none) = (trigger("consumer = \"billing\"\n"), trigger(""));
    assert_eq!(ids(&none, &billing), ["key-recipe-changed"]);
    assert_eq!(ids(&billing, &none), ["key-recipe-changed"]);
    let text = crate::rules::examples::source("").replace(
        "refund_id = { type = \"string\"",
        "refund_id = { type = \"uuid\"",
    );
    assert_eq!(ids("", &text), ["key-recipe-changed"]);
}

#[test]
fn another_hash_needs_a_new_version() {
    let hash = "[request]\nhash = [\"amount\"]\n";
    assert_eq!(ids("", hash), ["hash-recipe-changed"]);
    let previous = "[[key.previous]]\nversion = 2\nfields = [\"tenant_id\", \"refund_id\"]\n";
    assert_eq!(
        ids("", &format!("version = 3\n{hash}{previous}")),
        ["stale-lock"]
    );
}

#[test]
fn a_shorter_window_is_a_broken_promise_and_a_longer_one_is_not() {
    let window = |window: &str| {
        format!("[claim]\nlease = \"30s\"\nwindow = \"{window}\"\nmax_attempts = 5\n")
    };
    assert_eq!(ids("", &window("29d")), ["window-shortened"]);
    assert_eq!(ids("", &window("31d")), ["stale-lock"]);
    assert_eq!(
        ids(&window("forever"), &window("30d")),
        ["window-shortened"]
    );
    assert_eq!(ids(&window("30d"), &window("forever")), ["stale-lock"]);
    let allowed = format!(
        "{}[[allow]]\nrule = \"window-shortened\"\nreason = \"No retries are left.\"\n",
        window("29d")
    );
    assert!(ids("", &allowed).is_empty());
}

#[test]
fn the_same_recipe_under_another_name_is_a_rename() {
    assert_eq!(
        ids("", "workflow = \"refund-paid-order\"\n"),
        ["workflow-renamed"]
    );
    let other = format!("workflow = \"other\"\n{NEW_KEY}");
    assert_eq!(ids("", &other), ["stale-lock", "stale-lock"]);
}

#[test]
fn a_lockfile_that_is_behind_is_stale() {
    let now = contract("");
    let missing = check(None, "idem.lock", &[("a.toml", &now)], TODAY);
    assert_eq!(missing.len(), 1);
    assert_eq!((missing[0].0, missing[0].1.rule), (None, "stale-lock"));
    assert!(check(None, "idem.lock", &[], TODAY).is_empty());
    let gone = check(Some(&lock_of("")), "idem.lock", &[], TODAY);
    assert_eq!((gone[0].0, gone[0].1.rule), (None, "stale-lock"));
    let new = check(
        Some(&Lock::default()),
        "idem.lock",
        &[("a.toml", &now)],
        TODAY,
    );
    assert_eq!((new[0].0, new[0].1.rule), (Some(0), "stale-lock"));
}

#[test]
fn a_contract_that_could_not_be_read_is_not_compared() {
    for broken in [
        "[key]\nfields = 5\n",
        "[request]\nhash = \"al\"\n",
        "[claim]\nwindow = \"30 d\"\n",
    ] {
        assert!(ids("", broken).is_empty(), "{broken}");
    }
}

#[test]
fn fixes_of_a_locked_key_are_asked_about() {
    let snippet = "[request]\nhash = [\"amuont\"]\n";
    let after = contract(snippet);
    let mut found = findings(snippet);
    assert!(found[0].fix.as_ref().is_some_and(|fix| fix.safe));
    ask_when_locked(&lock_of(""), &after, &mut found);
    assert!(
        found[0].fix.as_ref().is_some_and(|fix| fix.safe),
        "not a part of the key"
    );
    let workflow = after.workflow.span().expect("a workflow");
    found[0].fix = Some(Fix::replace(workflow, "\"other\""));
    ask_when_locked(&Lock::default(), &after, &mut found);
    assert!(
        found[0].fix.as_ref().is_some_and(|fix| fix.safe),
        "not locked"
    );
    ask_when_locked(&lock_of(""), &after, &mut found);
    assert!(found[0].fix.as_ref().is_some_and(|fix| !fix.safe));
}
