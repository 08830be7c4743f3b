//! From the paths of a command line to the files it is about.
//!
//! - A file that is named is linted; a folder is walked for `*.toml`, as git sees it (`.gitignore`
//!   holds outside a repository too; what one machine alone ignores does not count).
//! - In a walk, every `*.toml` of a folder of contracts counts. Elsewhere a file counts when it
//!   looks like a contract ([`looks_like_a_contract`]), so that `idem lint .` is not about the
//!   settings of other tools.
//! - `exclude` of `idem.toml` holds for named files as well.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::WalkBuilder;

use crate::config::{Config, Configs, DEFAULT_CONTRACTS, FILE_NAME};
use crate::paths::{absolute, shown};
use crate::problem::{Problem, Problems};

/// The lockfile's name, beside the contracts.
pub(crate) const LOCK_NAME: &str = "idem.lock";

/// One file to be linted.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Absolute.
    pub(crate) path: PathBuf,
    /// As it is shown.
    pub(crate) shown: String,
    /// What holds for it.
    pub(crate) config: Option<Arc<Config>>,
    /// The folder of contracts it belongs to: its set for the rules that see several files.
    pub(crate) home: Option<Arc<Path>>,
    /// Whether it is a contract whatever it contains.
    pub(crate) certain: bool,
    /// Whether there is a file of that name; not so for a nameless standard input.
    pub(crate) is_file: bool,
}

/// What was found, and what could not be looked at.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Each file once, sorted by the path shown.
    pub(crate) targets: Vec<Target>,
    /// The folders that were walked.
    pub(crate) walked: Vec<PathBuf>,
    /// Paths that do not exist, folders that cannot be read.
    pub(crate) problems: Problems,
}

/// Finds files, with what holds for them.
pub(crate) struct Discovery {
    cwd: PathBuf,
    configs: Configs,
    folders: HashMap<PathBuf, Folder>,
    seen: HashSet<PathBuf>,
    found: Found,
}

/// What holds for the files of one folder.
#[derive(Clone)]
struct Folder {
    config: Option<Arc<Config>>,
    home: Option<Arc<Path>>,
}

impl Discovery {
    pub(crate) fn new(cwd: &Path) -> Self {
        Self {
            cwd: cwd.to_path_buf(),
            configs: Configs::new(cwd),
            folders: HashMap::new(),
            seen: HashSet::new(),
            found: Found::default(),
        }
    }

    /// The configuration that holds in the working directory.
    pub(crate) fn config_here(&mut self) -> Result<Option<Arc<Config>>, Problems> {
        let cwd = self.cwd.clone();
        self.configs.for_folder(&cwd)
    }

    /// The folders that hold contracts where none are named: `contracts` of `idem.toml`, else `contracts/`.
    pub(crate) fn default_folders(&mut self) -> Result<Vec<PathBuf>, Problems> {
        Ok(match self.config_here()? {
            Some(config) => config.contracts.clone(),
            None => vec![self.cwd.join(DEFAULT_CONTRACTS)],
        })
    }

    /// The files behind `paths`; behind the default folders where there are none.
    ///
    /// # Errors
    ///
    /// When an `idem.toml` on the way cannot be understood. A path that does not exist is one of
    /// [`Found::problems`]: it does not keep the others from being looked at.
    pub(crate) fn find(mut self, paths: &[PathBuf]) -> Result<Found, Problems> {
        if paths.is_empty() {
            let configured = self.config_here()?.is_some();
            for folder in self.default_folders()? {
                // Without an `idem.toml` nobody said that there is such a folder.
                if configured || folder.is_dir() {
                    self.add(&folder)?;
                }
            }
        }
        for path in paths {
            let path = absolute(&self.cwd, path);
            self.add(&path)?;
        }
        self.found
            .targets
            .sort_by(|left, right| left.shown.cmp(&right.shown));
        Ok(self.found)
    }

    /// Standard input, as the file `name`; where nobody named it, no file's settings hold.
    pub(crate) fn standard_input(mut self, name: &Path, named: bool) -> Result<Target, Problems> {
        let path = absolute(&self.cwd, name);
        let config = if named {
            self.folder(path.parent().unwrap_or(&self.cwd).to_path_buf())?
                .config
        } else {
            self.config_here()?
        };
        Ok(Target {
            shown: shown(&self.cwd, &path),
            config,
            home: None,
            certain: true,
            is_file: named,
            path,
        })
    }

    fn add(&mut self, path: &Path) -> Result<(), Problems> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.walk(path),
            // A changed lockfile concerns every contract beside it.
            Ok(_) if path.file_name().is_some_and(|name| name == LOCK_NAME) => {
                self.walk(path.parent().unwrap_or(path))
            }
            Ok(_) => self.target(path.to_path_buf(), true),
            // A dangling link is there, and cannot be read: that is a finding about it.
            Err(_) if path.is_symlink() => self.target(path.to_path_buf(), true),
            Err(error) => {
                let shown = shown(&self.cwd, path);
                self.found
                    .problems
                    .push(if error.kind() == io::ErrorKind::NotFound {
                        Problem::new(format!("there is no file or folder `{shown}`")).help(
                            "name contracts or folders of contracts; `idem init` starts a project",
                        )
                    } else {
                        Problem::new(format!("cannot look at `{shown}`")).why(error.to_string())
                    });
                Ok(())
            }
        }
    }

    fn walk(&mut self, folder: &Path) -> Result<(), Problems> {
        self.found.walked.push(folder.to_path_buf());
        let walk = WalkBuilder::new(folder)
            .require_git(false)
            .git_global(false)
            .git_exclude(false)
            .ignore(false)
            .build();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let problem = Problem::new(format!(
                        "cannot look into all of `{}`",
                        shown(&self.cwd, folder)
                    ));
                    self.found.problems.push(problem.why(error.to_string()));
                    continue;
                }
            };
            let name = entry.file_name().to_string_lossy();
            let is_folder = entry.file_type().is_none_or(|kind| kind.is_dir());
            let is_link = entry.path_is_symlink();
            if is_folder || !name.ends_with(".toml") || name == FILE_NAME || name == "Cargo.toml" {
                continue;
            }
            let path = entry.into_path();
            // A link to a folder is not followed.
            if !is_link || !path.is_dir() {
                self.target(path, false)?;
            }
        }
        Ok(())
    }

    fn target(&mut self, path: PathBuf, named: bool) -> Result<(), Problems> {
        if self.seen.contains(&path) {
            return Ok(());
        }
        let folder = self.folder(path.parent().unwrap_or(&self.cwd).to_path_buf())?;
        if folder
            .config
            .as_ref()
            .is_some_and(|config| config.excludes(&path))
        {
            return Ok(());
        }
        self.seen.insert(path.clone());
        self.found.targets.push(Target {
            shown: shown(&self.cwd, &path),
            certain: named || folder.home.is_some(),
            config: folder.config,
            home: folder.home,
            is_file: true,
            path,
        });
        Ok(())
    }

    fn folder(&mut self, path: PathBuf) -> Result<Folder, Problems> {
        if let Some(known) = self.folders.get(&path) {
            return Ok(known.clone());
        }
        let config = self.configs.for_folder(&path)?;
        let home = match &config {
            Some(config) => config
                .contracts
                .iter()
                .find(|home| path.starts_with(home))
                .map(|home| Arc::from(home.as_path())),
            None => unconfigured_home(&path),
        };
        let folder = Folder { config, home };
        self.folders.insert(path, folder.clone());
        Ok(folder)
    }
}

/// Without an `idem.toml`: the nearest folder upward, inside the repository, that is called
/// `contracts` or holds a lockfile.
fn unconfigured_home(folder: &Path) -> Option<Arc<Path>> {
    for candidate in folder.ancestors() {
        let is_home = candidate
            .file_name()
            .is_some_and(|name| name == DEFAULT_CONTRACTS)
            || candidate.join(LOCK_NAME).is_file();
        if is_home {
            return Some(Arc::from(candidate));
        }
        if candidate.join(".git").exists() {
            return None;
        }
    }
    None
}

/// Whether a TOML file that was met in a walk is meant as a contract: a line of it sets `contract`
/// or `workflow`, or opens a table that no other tool would have. Broken files count too, so this
/// reads bytes and not TOML.
pub(crate) fn looks_like_a_contract(source: &[u8]) -> bool {
    source
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .map(|line| line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line))
        .any(|line| {
            [&b"contract"[..], b"workflow"].iter().any(|key| {
                line.strip_prefix(*key)
                    .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"="))
            }) || [
                &b"[trigger]"[..],
                b"[payload]",
                b"[claim]",
                b"[[effects]]",
                b"[dead_letter]",
            ]
            .iter()
            .any(|header| line.starts_with(header))
        })
}

#[cfg(test)]
mod tests {
    use super::looks_like_a_contract;

    #[test]
    fn a_contract_is_told_from_the_settings_of_other_tools() {
        assert!(looks_like_a_contract(b"\xef\xbb\xbfcontract = 1\n"));
        assert!(looks_like_a_contract(b"# hello\r\nworkflow=\"a\"\r\n"));
        assert!(looks_like_a_contract(b"\xff\xfe\n[[effects]]\n"));
        assert!(!looks_like_a_contract(b"[package]\nname = \"contract\"\n"));
        assert!(!looks_like_a_contract(b"contracts = \"contracts\"\n"));
    }
}
