//! The rules that see several contracts at once.
//!
//! They look at every contract of the projects that the given files belong to, and report on the
//! given files alone: `pre-commit` hands a long list over in pieces, and each piece must be told
//! the same as all of them together.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use idem_contract::{Contract, Diagnostic, Setting, is_silenced, lint_set, parse};

use crate::discover::{Discovery, Target};
use crate::engine::{FileReport, Wanted, judge, read};
use crate::problem::Problems;

/// What is kept of a contract once it is linted: ten thousand whole ones would fill the memory.
#[derive(Debug)]
pub(crate) struct Member {
    /// The file.
    pub(crate) target: Target,
    /// Its workflow.
    pub(crate) workflow: Setting<String>,
    /// Whether it is one of the files that were asked about.
    pub(crate) given: bool,
}

impl Member {
    /// What is kept of `contract`.
    pub(crate) fn of(target: Target, contract: &Contract, given: bool) -> Self {
        Self {
            target,
            workflow: contract.workflow.clone(),
            given,
        }
    }

    /// The part of the contract that [`lint_set`] looks at.
    fn slim(&self) -> Contract {
        Contract {
            workflow: self.workflow.clone(),
            ..Contract::default()
        }
    }
}

/// The root of the project a file belongs to; files without one belong together.
fn project_of(target: &Target) -> Option<&Path> {
    match &target.config {
        Some(config) => Some(&config.root),
        None => target.home.as_deref(),
    }
}

/// Reads the contracts that belong to the projects of `members` and are not among them.
/// `walked` are the folders that were walked already.
pub(crate) fn complete(
    cwd: &Path,
    members: &mut Vec<Member>,
    walked: &[PathBuf],
) -> Result<(), Problems> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for member in members.iter() {
        match (&member.target.home, &member.target.config) {
            (Some(_), Some(config)) => folders.extend(config.contracts.iter().cloned()),
            (Some(home), None) => folders.push(home.to_path_buf()),
            (None, _) => {}
        }
    }
    folders.sort();
    folders.dedup();
    folders.retain(|folder| !walked.iter().any(|walked| folder.starts_with(walked)));
    folders.retain(|folder| folder.is_dir());
    if folders.is_empty() {
        return Ok(());
    }
    let given: std::collections::HashSet<PathBuf> = members
        .iter()
        .map(|member| member.target.path.clone())
        .collect();
    for target in Discovery::new(cwd).find(&folders)?.targets {
        if given.contains(&target.path) {
            continue;
        }
        // What cannot be read is told when that file is asked about.
        if let Ok(source) = read(&target.path) {
            let parsed = parse(&source);
            members.push(Member::of(target, &parsed.contract, false));
        }
    }
    Ok(())
}

/// Adds what the rules about several files say about the given ones.
pub(crate) fn lint(members: &[Member], wanted: &Wanted, files: &mut BTreeMap<String, FileReport>) {
    let mut namesakes: HashMap<(Option<&Path>, &str), Vec<&Member>> = HashMap::new();
    for member in members {
        if let Some(workflow) = member.workflow.get() {
            namesakes
                .entry((project_of(&member.target), workflow))
                .or_default()
                .push(member);
        }
    }
    for namesakes in namesakes.into_values().filter(|members| members.len() > 1) {
        let slim: Vec<_> = namesakes.iter().map(|member| member.slim()).collect();
        let named: Vec<_> = namesakes
            .iter()
            .zip(&slim)
            .map(|(member, contract)| (member.target.shown.as_str(), contract))
            .collect();
        for (at, finding) in lint_set(&named) {
            if namesakes[at].given {
                add(namesakes[at], finding, wanted, files);
            }
        }
    }
}

/// Puts one finding to the file it is about, unless that file silences it.
fn add(
    member: &Member,
    finding: Diagnostic,
    wanted: &Wanted,
    files: &mut BTreeMap<String, FileReport>,
) {
    let target = &member.target;
    let mut findings = vec![finding];
    judge(target, wanted, &mut findings);
    let Ok(source) = read(&target.path) else {
        return;
    };
    let contract = parse(&source).contract;
    findings.retain(|finding| !is_silenced(&contract, wanted.today, finding));
    if findings.is_empty() {
        return;
    }
    files
        .entry(target.shown.clone())
        .or_insert_with(|| FileReport {
            shown: target.shown.clone(),
            source,
            diagnostics: Vec::new(),
        })
        .diagnostics
        .extend(findings);
}
