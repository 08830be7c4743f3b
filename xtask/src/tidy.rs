//! `cargo xtask tidy`: what no compiler checks.
//!
//! A check is one function from the project's text to sentences, one sentence a finding, and one
//! entry in [`CHECKS`]. Checks that must run the project itself are in `live`.

mod adr;
mod dependencies;
mod floors;
mod literals;
mod live;
mod machine;
mod prose;
mod sizes;
mod snapshots;
mod sql;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::child::Interrupt;
use crate::problem::Result;
use crate::workspace;

/// The project's text files, by path relative to the root.
#[derive(Debug, Default)]
pub(crate) struct Project {
    files: BTreeMap<PathBuf, String>,
}

impl Project {
    fn read() -> Result<Self> {
        let root = workspace::root();
        let files = workspace::files()?
            .into_iter()
            // What is not UTF-8 is a picture or a test's bad input: no text to be tidy about.
            .filter_map(|file| {
                let text = std::fs::read_to_string(root.join(&file)).ok()?;
                Some((file, text))
            })
            .collect();
        Ok(Self { files })
    }

    /// Every file with this extension, in the order of their paths.
    fn with_extension(&self, extension: &str) -> impl Iterator<Item = (&Path, &str)> {
        self.all()
            .filter(move |(path, _)| path.extension().is_some_and(|own| own == extension))
    }

    /// Every file, in the order of their paths.
    fn all(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// The text of one file.
    fn text(&self, path: &str) -> Option<&str> {
        self.files.get(Path::new(path)).map(String::as_str)
    }

    /// Whether a Rust file is compiled for tests alone: it is called so, lies in a folder called so, or
    /// its parent module declares it behind `#[cfg(test)]`.
    fn is_test(&self, path: &Path) -> bool {
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy())
            .unwrap_or_default();
        if stem.ends_with("tests") || path.components().any(|part| part.as_os_str() == "tests") {
            return true;
        }
        let Some(folder) = path.parent() else {
            return false;
        };
        let parents = [
            folder.with_extension("rs"),
            folder.join("lib.rs"),
            folder.join("main.rs"),
        ];
        let declared = format!("#[cfg(test)]\nmod {stem};");
        parents
            .iter()
            .filter_map(|parent| self.files.get(parent))
            .any(|text| text.contains(&declared))
    }

    /// Whether a file or a folder of that name exists.
    fn has(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file.starts_with(path))
    }

    #[cfg(test)]
    fn of(files: &[(&str, &str)]) -> Self {
        Self {
            files: files
                .iter()
                .map(|(path, text)| (path.into(), (*text).to_owned()))
                .collect(),
        }
    }
}

/// From the project's text to one sentence a finding.
type Check = fn(&Project) -> Vec<String>;

/// Every check of the text, by the name its findings bear.
const CHECKS: &[(&str, Check)] = &[
    ("sizes", sizes::check),
    ("floors", floors::check),
    ("sql", sql::check),
    ("dependencies", dependencies::check),
    ("machine", machine::check),
    ("snapshots", snapshots::check),
    ("prose", prose::check),
    ("adr", adr::check),
];

/// Runs every check; prints each finding.
pub(crate) fn run() -> Result<ExitCode> {
    let interrupt = Interrupt::catch()?;
    let project = Project::read()?;
    let mut findings = 0_usize;
    let mut print = |name: &str, sentences: Vec<String>| {
        findings += sentences.len();
        for sentence in sentences {
            println!("tidy[{name}]: {sentence}");
        }
    };
    for (name, check) in CHECKS {
        print(name, check(&project));
    }
    print("live", live::check(&project, &interrupt)?);
    if findings == 0 {
        println!("tidy");
        return Ok(ExitCode::SUCCESS);
    }
    println!("{findings} untidy");
    Ok(ExitCode::FAILURE)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Project;

    #[test]
    fn a_test_file_is_known_by_name_folder_or_declaration() {
        let project = Project::of(&[
            ("src/lib.rs", "#[cfg(test)]\nmod harness;\nmod store;\n"),
            ("src/store.rs", "#[cfg(test)]\nmod cases;\nmod row;\n"),
        ]);
        for (path, test) in [
            ("src/harness.rs", true),
            ("src/store/cases.rs", true),
            ("src/yard_tests.rs", true),
            ("tests/it/claim.rs", true),
            ("src/store.rs", false),
            ("src/store/row.rs", false),
        ] {
            assert_eq!(project.is_test(Path::new(path)), test, "{path}");
        }
    }
}
