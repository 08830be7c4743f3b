//! The contracts of `tests/fixtures`: a bad one raises the rule of its folder, a good one nothing.

use std::fs;
use std::path::{Path, PathBuf};

use idem_contract::{Diagnostic, Severity};

use crate::support::{applied, findings_in, rules};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")
}

fn contracts(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    files
}

fn read(file: &Path, text: &str) -> Vec<Diagnostic> {
    findings_in(file.file_stem().and_then(|stem| stem.to_str()), text)
}

/// The rules that a first line `# also: a, b` permits besides the folder's own.
fn also(text: &str) -> Vec<&str> {
    text.lines()
        .next()
        .and_then(|line| line.strip_prefix("# also: "))
        .map(|list| list.split(", ").collect())
        .unwrap_or_default()
}

#[test]
fn a_bad_contract_raises_the_rule_of_its_folder_and_no_other_that_it_does_not_name() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("bad"))
        .expect("the fixtures")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        let rule = folder
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a rule's name")
            .to_owned();
        if idem_contract::rules::find(&rule).is_none() {
            wrong.push(format!("{}: no such rule", folder.display()));
        }
        for file in contracts(&folder) {
            seen += 1;
            let text = fs::read_to_string(&file).expect("a readable contract");
            let expected = also(&text);
            let found = read(&file, &text);
            let name = file.display();
            if !found.iter().any(|finding| finding.rule == rule) {
                wrong.push(format!(
                    "{name}: {rule} does not speak: {:?}",
                    rules(&found)
                ));
            }
            for finding in &found {
                if finding.rule != rule && !expected.contains(&finding.rule) {
                    wrong.push(format!(
                        "{name}: {} speaks: {}",
                        finding.rule, finding.message
                    ));
                }
            }
            for rule in expected {
                if !found.iter().any(|finding| finding.rule == rule) {
                    wrong.push(format!("{name}: {rule} is announced and does not speak"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 0, "no fixtures");
}

#[test]
fn a_good_contract_raises_nothing() {
    let mut wrong = Vec::new();
    for file in contracts(&root().join("good")) {
        let text = fs::read_to_string(&file).expect("a readable contract");
        let found = read(&file, &text);
        if !found.is_empty() {
            wrong.push(format!("{}: {:?}", file.display(), rules(&found)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_offered_edit_settles_its_finding_and_breaks_nothing() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for folder in fs::read_dir(root().join("bad")).expect("the fixtures") {
        for file in contracts(&folder.expect("a readable folder").path()) {
            let text = fs::read_to_string(&file).expect("a readable contract");
            let found = read(&file, &text);
            for finding in &found {
                let Some(fix) = &finding.fix else {
                    continue;
                };
                seen += 1;
                let after = read(&file, &applied(&text, fix));
                let count = |all: &[Diagnostic]| {
                    all.iter()
                        .filter(|other| other.rule == finding.rule)
                        .count()
                };
                let broken = after.iter().any(|other| {
                    other.severity == Severity::Error
                        && found.iter().all(|before| before.rule != other.rule)
                });
                if count(&after) >= count(&found) || broken {
                    wrong.push(format!(
                        "{}: the edit of {} leaves {:?}",
                        file.display(),
                        finding.rule,
                        rules(&after)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 0, "no edit is offered");
}
