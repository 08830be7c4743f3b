//! Where the project lies, and how cargo is called in it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::problem::{During, Problem, Result};

/// The folder with the root `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    // cargo sets the variable for `cargo run`; the compiled-in path serves a binary started by hand.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// cargo itself, in the project's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Whether this is a run without a person, where nothing may be skipped.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Every file that is, or would be, part of the project: relative to the root, sorted.
pub(crate) fn files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .during("listing the project's files with git")?;
    if !output.status.success() {
        return Err(Problem::new(format!(
            "git could not list the project's files: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    let mut files: Vec<PathBuf> = String::from_utf8_lossy(&output.stdout)
        .split_terminator('\0')
        .map(PathBuf::from)
        // Listed by git until the removal is committed.
        .filter(|file| root().join(file).is_file())
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}
