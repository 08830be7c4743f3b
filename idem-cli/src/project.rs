//! The rules that see several contracts at once.
//!
//! They look at every contract of the projects that the given files belong to, and report on the
//! given files alone: `pre-commit` hands a long list over in pieces, and each piece must be told
//! the same as all of them together.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use idem_contract::lock::Locked;
use idem_contract::{Contract, Diagnostic, Setting, is_silenced, lint_set, parse};

use crate::discover::{Discovery, Target};
use crate::engine::{FileReport, Wanted, judge, read};
use crate::lockfile::{Lockfile, Lockfiles};
use crate::problem::Problems;

/// What is kept of a contract once it is linted: ten thousand whole ones would fill the memory.
#[derive(Debug)]
pub(crate) struct Member {
    /// The file.
    pub(crate) target: Target,
    /// Its workflow.
    pub(crate) workflow: Setting<String>,
    /// What the lockfile should say of it.
    pub(crate) recipe: Recipe,
    /// Whether it is one of the files that were asked about.
    pub(crate) given: bool,
}

/// What the lockfile should say of a contract.
#[derive(Debug)]
pub(crate) enum Recipe {
    /// A part of it could not be read.
    Unreadable,
    /// Just what the entry of that number says.
    Recorded(usize),
    /// This.
    Of(Box<Locked>),
}

impl Member {
    /// What is kept of `contract`, whose folder has that lockfile.
    pub(crate) fn of(
        target: Target,
        contract: &Contract,
        lockfile: Option<&Lockfile>,
        given: bool,
    ) -> Self {
        let recipe = match Locked::of(contract) {
            None => Recipe::Unreadable,
            Some(locked) => match lockfile.and_then(|lockfile| lockfile.entry(&locked)) {
                Some(entry) => Recipe::Recorded(entry),
                None => Recipe::Of(Box::new(locked)),
            },
        };
        Self {
            target,
            workflow: contract.workflow.clone(),
            recipe,
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
    lockfiles: &Lockfiles,
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
    let given: HashSet<PathBuf> = members
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
            let lockfile = lockfiles.of(&target);
            members.push(Member::of(target, &parsed.contract, lockfile, false));
        }
    }
    Ok(())
}

/// Adds what the rules about several files say about the given ones, and about lockfiles.
pub(crate) fn lint(
    members: &[Member],
    lockfiles: &Lockfiles,
    wanted: &Wanted,
    files: &mut BTreeMap<String, FileReport>,
) {
    for (member, finding) in duplicates(members) {
        if member.given {
            add(member, finding, wanted, files);
        }
    }
    for (home, lockfile) in lockfiles.iter() {
        let members: Vec<_> = members
            .iter()
            .filter(|member| member.target.home.as_ref() == Some(home))
            .collect();
        for (member, finding) in lockfile.check(&members, wanted.today) {
            match member {
                Some(member) if member.given => {
                    put(&member.target, finding, wanted, files, || {
                        read(&member.target.path).unwrap_or_default()
                    });
                }
                Some(_) => {}
                None => put(&lockfile.target, finding, wanted, files, || {
                    lockfile.source.clone()
                }),
            }
        }
    }
}

/// Contracts of one project that are about one workflow.
pub(crate) fn duplicates(members: &[Member]) -> Vec<(&Member, Diagnostic)> {
    let mut namesakes: BTreeMap<(Option<&Path>, &str), Vec<&Member>> = BTreeMap::new();
    for member in members {
        if let Some(workflow) = member.workflow.get() {
            namesakes
                .entry((project_of(&member.target), workflow))
                .or_default()
                .push(member);
        }
    }
    let mut out = Vec::new();
    for members in namesakes.into_values().filter(|members| members.len() > 1) {
        let slim: Vec<_> = members.iter().map(|member| member.slim()).collect();
        let named: Vec<_> = members
            .iter()
            .zip(&slim)
            .map(|(member, contract)| (member.target.shown.as_str(), contract))
            .collect();
        out.extend(
            lint_set(&named)
                .into_iter()
                .map(|(at, finding)| (members[at], finding)),
        );
    }
    out
}

/// Puts a finding to the contract it is about, unless that contract silences it.
fn add(
    member: &Member,
    finding: Diagnostic,
    wanted: &Wanted,
    files: &mut BTreeMap<String, FileReport>,
) {
    let source = read(&member.target.path).unwrap_or_default();
    if !is_silenced(&parse(&source).contract, wanted.today, &finding) {
        put(&member.target, finding, wanted, files, || source);
    }
}

/// Puts a finding to a file, where anybody wants to hear of it.
fn put(
    target: &Target,
    finding: Diagnostic,
    wanted: &Wanted,
    files: &mut BTreeMap<String, FileReport>,
    source: impl FnOnce() -> Vec<u8>,
) {
    let mut findings = vec![finding];
    judge(target, wanted, &mut findings);
    if findings.is_empty() {
        return;
    }
    files
        .entry(target.shown.clone())
        .or_insert_with(|| FileReport {
            shown: target.shown.clone(),
            source: source(),
            diagnostics: Vec::new(),
        })
        .diagnostics
        .extend(findings);
}
