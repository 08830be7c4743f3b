//! Holds the list of rules, the rules' files and the rule list of the specification together.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{Group, Place, Rule, Severity, rules};

/// `id severity places core`, as the rule list has them. A rule that is not core may be absent
/// from [`rules::ALL`]; none may be there that is not in this table.
const LIST: &str = "
format:
invalid-syntax error T core
unknown-field error T core
wrong-type error T core
missing-field error T core
unknown-value error T core
invalid-value error T core
undeclared-field error T core
unsupported-format error T core
unreadable-file error T core
file-name-mismatch error T core
duplicate-workflow error T core
allow-without-reason error TR core
expired-allow error TR core
unused-allow warn TR core
expired-overlap warn TR core
key:
no-key error T core
undeclared-key-field error TA core
clock-in-key error TAR core
timestamp-in-key error TA core
random-in-key error TAR core
position-in-key error TAR core
attempt-in-key error TAR core
environment-in-key error TAR core
float-in-key error TA core
optional-key-part error TA core
default-in-key error TA core
constant-key error TA core
duplicate-key-field error TA core
impure-key error A core
joined-key-text error AR
coarse-key error T core
mutable-key-part warn T
payload-hash-key warn T
unstated-origin error T core
broker-position-in-key warn TA
known-unstable-id warn T
unnormalised-text-in-key warn T
personal-data-in-key warn T
key-too-long info T
suspicious-key-name warn T core
scope:
missing-tenant error T core
tenant-from-body error T
missing-consumer error T
anonymous-scope warn T
claim:
missing-lease error T core
lease-shorter-than-work error T core
lease-not-below-window error T core
long-work-without-heartbeat warn T
unbounded-attempts error T core
forced-fused error T core
open-on-outage error T core
unbounded-wait error T
commit:
no-effects warn T core
split-transaction error T core
external-gap error T core
header-as-only-guard error T core
missing-provider-header error T core
provider-forgets-first error T core
unresolved-ambiguity error TA core
unowned-dead-letter error T core
retried-irreversible error T core
irreversible-before-fallible warn T
undeclared-effect error A core
unperformed-effect error A core
unclassified-failure error A core
relative-upsert error TQ core
upsert-without-conflict-target error TQ
entity-strategy-too-wide error T core
network-in-transaction error R
ack-before-commit error R
order:
unguarded-order error T core
order-drops-inserts warn T
arrival-time-as-version error T core
coarse-version warn T
offset-as-version warn T
request:
missing-request-hash error T core
hash-repeats-key warn T core
volatile-hash-field error T core
unhashed-field warn R
unlimited-response warn T
personal-data-in-response warn T
window:
missing-window error T core
window-shorter-than-redelivery error T core
window-shorter-than-retries error T core
unknown-horizon warn T core
endless-window warn T
missing-cleanup error TQ
unbounded-cleanup error TQ
evolution:
key-recipe-changed error L core
workflow-renamed error L
hash-recipe-changed error L
window-shortened warn L
stale-lock error L core
contract-without-handler error R
handler-without-contract warn R
attribute-disagrees error A core
drill-missing warn R
source:
key-outside-loop error R
fresh-value-at-call error R
generated-default error R
unwrapped-write warn R
check-then-insert error RQ
missing-unique-constraint error Q
missing-expiry-index warn Q
json-for-replay warn Q
";

struct Listed {
    group: &'static str,
    id: &'static str,
    severity: &'static str,
    places: &'static str,
    core: bool,
}

fn listed() -> Vec<Listed> {
    let mut group = "";
    let mut out = Vec::new();
    for line in LIST.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_suffix(':') {
            group = name;
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        out.push(Listed {
            group,
            id: words[0],
            severity: words[1],
            places: words[2],
            core: words.get(3) == Some(&"core"),
        });
    }
    out
}

#[test]
fn every_rule_says_of_itself_what_the_rule_list_says() {
    let list = listed();
    for rule in rules::ALL {
        let row = (list.iter().find(|row| row.id == rule.id))
            .unwrap_or_else(|| panic!("{} is not in the rule list", rule.id));
        let places: String = rule.places.iter().map(|place| place.letter()).collect();
        assert_eq!(
            (
                rule.group.as_str(),
                rule.severity.as_str(),
                &*places,
                rule.core
            ),
            (row.group, row.severity, row.places, row.core),
            "{}",
            rule.id
        );
    }
}

#[test]
fn a_listed_rule_is_either_here_or_elsewhere_and_none_of_the_contract_is_elsewhere() {
    for row in listed() {
        let here = rules::find(row.id).is_some();
        let elsewhere = rules::ELSEWHERE.contains(&row.id);
        assert!(here != elsewhere, "{}", row.id);
        assert!(
            !elsewhere || !row.places.contains(['T', 'A', 'L']),
            "{}",
            row.id
        );
    }
    assert!(rules::ELSEWHERE.is_sorted());
}

#[test]
fn every_core_rule_is_there() {
    let absent: Vec<&str> = (listed().iter())
        .filter(|row| row.core && rules::find(row.id).is_none())
        .map(|row| row.id)
        .collect();
    assert!(absent.is_empty(), "{absent:?}");
}

#[test]
fn rules_are_sorted_by_group_then_id_and_unique() {
    let order: Vec<(Group, &str)> = rules::ALL
        .iter()
        .map(|rule| (rule.group, rule.id))
        .collect();
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "{order:#?}");
}

#[test]
fn files_and_list_name_the_same_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the rules' folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .replace('_', "-")
        })
        .filter(|name| name != "examples" && name != "registry")
        .collect();
    let list: BTreeSet<String> = rules::ALL.iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(files, list);
}

#[test]
fn id_static_and_page_title_are_one_name() {
    for rule in rules::ALL {
        let name = rule.id.replace('-', "_").to_uppercase();
        assert!(
            rule.source
                .contains(&format!(" static {name}: Rule = Rule {{")),
            "{}",
            rule.id
        );
        assert!(
            rules::page(rule).starts_with(&format!("# {}\n\n", rule.id)),
            "{}",
            rule.id
        );
    }
}

#[test]
fn every_page_has_its_headings_in_order() {
    for rule in rules::ALL {
        let page = rules::page(rule);
        let headings: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("## "))
            .map(|line| &line[3..])
            .collect();
        assert_eq!(
            headings,
            ["What it does", "Why it hurts", "Bad", "Good", "Source"],
            "{}",
            rule.id
        );
        assert!(
            rule.summary().ends_with('.') && !rule.summary().starts_with('#'),
            "{}",
            rule.id
        );
    }
}

#[test]
fn every_rule_of_the_contract_has_an_executed_example() {
    let without: Vec<&str> = (rules::ALL.iter())
        .filter(|rule| is_asked(rule))
        .filter(|rule| {
            let page = rules::page(rule);
            let bad = page.split("## Bad").nth(1).unwrap_or_default();
            let (bad, good) = bad.split_once("## Good").unwrap_or_default();
            !bad.contains("```toml") || !good.contains("```toml")
        })
        .map(|rule| rule.id)
        .collect();
    assert!(without.is_empty(), "{without:?}");
}

fn is_asked(rule: &Rule) -> bool {
    rule.places.contains(&Place::Contract) && !matches!(rule.check, crate::Check::Elsewhere)
}

#[test]
fn a_rule_has_at_most_three_hundred_lines() {
    for rule in rules::ALL {
        assert!(rule.source.lines().count() <= 300, "{}", rule.id);
    }
}

#[test]
fn an_unknown_id_finds_nothing() {
    assert!(rules::find("no-such-rule").is_none());
    assert_eq!(
        rules::find("missing-lease").map(|rule| rule.severity),
        Some(Severity::Error)
    );
}
