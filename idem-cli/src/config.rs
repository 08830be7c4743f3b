//! `idem.toml`: the nearest one upward from a file, up to the repository's root.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use idem_contract::{Rule, Severity};
use ignore::gitignore::Gitignore;

use crate::paths;
use crate::problem::{Problem, Problems};
use crate::selection::{Selection, always_speaks};

mod decode;

/// Every key, as an example: a test reads it, and help shows it.
pub(crate) const EXAMPLE: &str = r#"contracts = "contracts"            # a folder, or several: where idem looks
exclude   = ["contracts/drafts/"]  # as in .gitignore; holds for files that are named, too

[lint]
select   = ["all"]                 # rules or groups of rules
ignore   = ["endless-window"]
severity = { unlimited-response = "error" }

[[per-file]]                       # the same three, for some files only
files  = ["contracts/legacy-*.toml"]
ignore = ["missing-request-hash"]

[sql]
database = "postgres"              # what `idem generate sql` writes for
folder   = "migrations"            # and where
"#;

/// The name of the file.
pub(crate) const FILE_NAME: &str = "idem.toml";

/// The folder of contracts where no `idem.toml` says otherwise.
pub(crate) const DEFAULT_CONTRACTS: &str = "contracts";

/// One `idem.toml`, understood.
#[derive(Debug)]
pub(crate) struct Config {
    /// The folder it stands in.
    pub(crate) root: PathBuf,
    /// The folders of contracts, absolute.
    pub(crate) contracts: Vec<PathBuf>,
    /// Files that are never linted.
    exclude: Gitignore,
    /// `[lint]`.
    lint: Selection,
    /// `[[per-file]]`, in order.
    per_file: Vec<(Gitignore, Selection)>,
    /// `[sql]`.
    pub(crate) sql: Sql,
}

/// `[sql]`.
#[derive(Debug, Default)]
pub(crate) struct Sql {
    /// `database`.
    pub(crate) database: Option<String>,
    /// `folder`, absolute.
    pub(crate) folder: Option<PathBuf>,
}

impl Config {
    /// Whether `file` (absolute) is excluded.
    pub(crate) fn excludes(&self, file: &Path) -> bool {
        covers(&self.exclude, &self.root, file)
    }

    /// Whether `rule` speaks about `file`, and the severity that is stated for it there.
    pub(crate) fn verdict(
        &self,
        rule: &Rule,
        file: &Path,
        narrowed_by_the_command_line: bool,
    ) -> (bool, Option<Severity>) {
        let here = || {
            self.per_file
                .iter()
                .filter(|(files, _)| covers(files, &self.root, file))
                .map(|(_, selection)| selection)
        };
        let speaks = narrowed_by_the_command_line
            || (self.lint.admits(rule) && here().all(|selection| selection.admits(rule)));
        if always_speaks(rule.id) {
            return (true, None);
        }
        let severity = here()
            .filter_map(|selection| selection.severity(rule))
            .next_back()
            .or_else(|| self.lint.severity(rule));
        (speaks, severity)
    }
}

fn covers(patterns: &Gitignore, root: &Path, file: &Path) -> bool {
    !patterns.is_empty()
        && file.strip_prefix(root).is_ok_and(|relative| {
            patterns
                .matched_path_or_any_parents(relative, false)
                .is_ignore()
        })
}

/// Every `idem.toml` of a run, each read once.
#[derive(Debug)]
pub(crate) struct Configs {
    cwd: PathBuf,
    by_folder: HashMap<PathBuf, Option<Arc<Config>>>,
}

impl Configs {
    pub(crate) fn new(cwd: &Path) -> Self {
        Self {
            cwd: cwd.to_path_buf(),
            by_folder: HashMap::new(),
        }
    }

    /// The configuration that holds in `folder` (absolute), if there is one.
    pub(crate) fn for_folder(&mut self, folder: &Path) -> Result<Option<Arc<Config>>, Problems> {
        if let Some(known) = self.by_folder.get(folder) {
            return Ok(known.clone());
        }
        let file = folder.join(FILE_NAME);
        let found = match fs::read(&file) {
            Ok(bytes) => Some(Arc::new(decode::decode(&self.cwd, &file, &bytes)?)),
            Err(error) if is_absence(&error) => match folder.parent() {
                Some(parent) if !folder.join(".git").exists() => self.for_folder(parent)?,
                Some(_) | None => None,
            },
            Err(error) => {
                return Err(Problem::new(format!(
                    "cannot read `{}`",
                    paths::shown(&self.cwd, &file)
                ))
                .why(error.to_string())
                .into());
            }
        };
        self.by_folder.insert(folder.to_path_buf(), found.clone());
        Ok(found)
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
