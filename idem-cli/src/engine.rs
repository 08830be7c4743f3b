//! Reads and lints files, on every core.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use idem_contract::lock::{Lock, ask_when_locked};
use idem_contract::{
    Contract, Diagnostic, LineIndex, LintOptions, MAX_BYTES, Severity, Span, lint, parse, rules,
};
use rayon::prelude::*;

use crate::discover::{Found, Target, looks_like_a_contract};
use crate::lockfile::{Lockfile, Lockfiles};
use crate::paths;
use crate::problem::{Problem, Problems};
use crate::project::{self, Member};
use crate::selection::Selection;

/// The findings of one file.
#[derive(Debug)]
pub(crate) struct FileReport {
    /// The file as it is shown.
    pub(crate) shown: String,
    /// Its text.
    pub(crate) source: Vec<u8>,
    /// Its findings, by place and rule.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl FileReport {
    /// Offsets to lines and columns.
    pub(crate) fn index(&self) -> LineIndex<'_> {
        LineIndex::new(&self.source)
    }
}

/// The findings of a run.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// How many contracts were looked at.
    pub(crate) linted: usize,
    /// Those with findings, by name.
    pub(crate) files: Vec<FileReport>,
    /// The text of files that a finding elsewhere points into.
    pub(crate) others: BTreeMap<String, Vec<u8>>,
}

impl Report {
    /// How many findings have that severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.files
            .iter()
            .flat_map(|file| &file.diagnostics)
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// The text behind a name; empty where it could not be read.
    pub(crate) fn source_of(&self, shown: &str) -> &[u8] {
        self.files
            .iter()
            .find(|file| file.shown == shown)
            .map(|file| file.source.as_slice())
            .or_else(|| self.others.get(shown).map(Vec::as_slice))
            .unwrap_or_default()
    }

    /// Whether a file could not be read.
    pub(crate) fn has_unreadable(&self) -> bool {
        self.files
            .iter()
            .flat_map(|file| &file.diagnostics)
            .any(|finding| finding.rule == UNREADABLE)
    }

    /// The report on `linted` files, of which `files` (in order) have findings.
    pub(crate) fn of(linted: usize, files: impl Iterator<Item = FileReport>) -> Self {
        let mut files: Vec<_> = files.collect();
        for file in &mut files {
            file.diagnostics
                .sort_by(|left, right| (left.span, left.rule).cmp(&(right.span, right.rule)));
        }
        Self {
            linted,
            files,
            others: BTreeMap::new(),
        }
    }

    /// Reads the files that findings point into and that have none of their own.
    pub(crate) fn with_others(mut self, cwd: &Path) -> Self {
        let wanted: BTreeSet<_> = self
            .files
            .iter()
            .flat_map(|file| &file.diagnostics)
            .flat_map(|finding| &finding.related)
            .filter_map(|related| related.file.clone())
            .collect();
        for file in wanted {
            if self.files.iter().any(|known| known.shown == file) {
                continue;
            }
            // Without its text a finding still says which file it means.
            if let Ok(source) = read(&paths::absolute(cwd, Path::new(&file))) {
                self.others.insert(file, source);
            }
        }
        self
    }
}

/// The rule about a file that cannot be read.
const UNREADABLE: &str = "unreadable-file";

/// What the command line says about a lint.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// `--select` and `--ignore`.
    pub(crate) selection: Selection,
    /// Whether `idem.lock` is looked at.
    pub(crate) lock: bool,
    /// Today, as days since 1970-01-01 (UTC).
    pub(crate) today: i32,
}

/// Below this number of files, starting threads takes longer than linting.
const WORTH_THREADS: usize = 16;

/// Days since 1970-01-01 (UTC).
pub(crate) fn today() -> i32 {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs());
    i32::try_from(seconds / 86_400).unwrap_or(i32::MAX)
}

/// Drops what nobody wants to hear of, and gives the rest the severity that is stated for it.
pub(crate) fn judge(target: &Target, wanted: &Wanted, findings: &mut Vec<Diagnostic>) {
    let narrowed = wanted.selection.select.is_some();
    findings.retain_mut(|finding| {
        let Some(rule) = rules::find(finding.rule) else {
            return true;
        };
        if !wanted.selection.admits(rule) {
            return false;
        }
        let Some(config) = &target.config else {
            return true;
        };
        let (speaks, severity) = config.verdict(rule, &target.path, narrowed);
        if let Some(severity) = severity {
            finding.severity = severity;
        }
        speaks
    });
}

/// Lints one text that stands for `target`: the rules about one file alone.
pub(crate) fn lint_text(target: &Target, source: Vec<u8>, wanted: &Wanted) -> Report {
    let (_, file) = lint_one(target, source, None, wanted);
    Report::of(1, file.into_iter())
}

/// The contract, and the file's findings where it has any.
pub(crate) fn lint_one(
    target: &Target,
    source: Vec<u8>,
    lock: Option<&Lock>,
    wanted: &Wanted,
) -> (Contract, Option<FileReport>) {
    let stem = target.path.file_stem().and_then(|stem| stem.to_str());
    let options = LintOptions {
        file_stem: stem.filter(|_| target.is_file),
        today: wanted.today,
    };
    let mut linted = lint(&source, &options);
    if let Some(lock) = lock.filter(|_| !linted.diagnostics.is_empty()) {
        ask_when_locked(lock, &linted.contract, &mut linted.diagnostics);
    }
    judge(target, wanted, &mut linted.diagnostics);
    let file = (!linted.diagnostics.is_empty()).then(|| FileReport {
        shown: target.shown.clone(),
        source,
        diagnostics: linted.diagnostics,
    });
    (linted.contract, file)
}

/// Lints files: the rules about one file on each of them, those about several on their projects.
pub(crate) fn lint_files(cwd: &Path, found: Found, wanted: &Wanted) -> Result<Report, Problems> {
    let lockfiles = if wanted.lock {
        Lockfiles::load(cwd, &found.targets)?
    } else {
        Lockfiles::default()
    };
    let one = |target: Target| match read(&target.path) {
        Ok(source) if target.certain || looks_like_a_contract(&source) => {
            let lockfile = lockfiles.of(&target);
            let lock = lockfile.and_then(Lockfile::lock);
            let (contract, file) = lint_one(&target, source, lock, wanted);
            Some((Member::of(target, &contract, lockfile, true), file))
        }
        Ok(_) => None,
        Err(error) => {
            let file = unreadable(&target, &error);
            let nothing = Contract::default();
            Some((Member::of(target, &nothing, None, true), Some(file)))
        }
    };
    let linted: Vec<_> = if found.targets.len() < WORTH_THREADS {
        found.targets.into_iter().filter_map(one).collect()
    } else {
        found.targets.into_par_iter().filter_map(one).collect()
    };
    let count = linted.len();
    let mut files = BTreeMap::new();
    let mut members = Vec::with_capacity(count);
    for (member, file) in linted {
        members.push(member);
        files.extend(file.map(|file| (file.shown.clone(), file)));
    }
    project::complete(cwd, &mut members, &lockfiles, &found.walked)?;
    project::lint(&members, &lockfiles, wanted, &mut files);
    Ok(Report::of(count, files.into_values()).with_others(cwd))
}

/// Reads a file; of one that is far too large to be a contract only as much as proves it.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let limit = MAX_BYTES + 1;
    let size = usize::try_from(metadata.len()).unwrap_or(limit).min(limit);
    let mut source = Vec::with_capacity(size + 1);
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    file.by_ref().take(limit).read_to_end(&mut source)?;
    Ok(source)
}

fn unreadable(target: &Target, error: &io::Error) -> FileReport {
    FileReport {
        shown: target.shown.clone(),
        source: Vec::new(),
        diagnostics: vec![Diagnostic {
            rule: UNREADABLE,
            severity: Severity::Error,
            span: Span::default(),
            path: String::new(),
            message: "the file cannot be read".to_owned(),
            why: error.to_string(),
            help: "make it readable, or leave it out with `exclude` in idem.toml".to_owned(),
            related: Vec::new(),
            interleaving: Vec::new(),
            fix: None,
        }],
    }
}

/// A contract that was read.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Where.
    pub(crate) target: Target,
    /// What was understood of it.
    pub(crate) contract: Contract,
}

/// Reads contracts without linting them. What cannot be read is a problem of the run.
pub(crate) fn load(found: Found) -> (Vec<Loaded>, Problems) {
    let mut problems = found.problems;
    let mut contracts = Vec::new();
    for target in found.targets {
        let source = match read(&target.path) {
            Ok(source) => source,
            Err(error) => {
                let problem = Problem::new(format!("cannot read `{}`", target.shown));
                problems.push(problem.why(error.to_string()));
                continue;
            }
        };
        if !target.certain && !looks_like_a_contract(&source) {
            continue;
        }
        let parsed = parse(&source);
        if parsed.fatal {
            problems.push(
                Problem::new(format!("`{}` is not a contract", target.shown))
                    .help(format!("`idem lint {}` says why", target.shown)),
            );
            continue;
        }
        contracts.push(Loaded {
            target,
            contract: parsed.contract,
        });
    }
    (contracts, problems)
}
