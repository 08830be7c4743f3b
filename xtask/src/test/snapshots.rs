//! Finds snapshots that no test looked at.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use crate::problem::{During, Result};
use crate::workspace;

/// The list that insta writes of the snapshots it compared.
#[derive(Debug)]
pub(super) struct References(PathBuf);

impl References {
    /// An empty list.
    pub(super) fn collect() -> Result<Self> {
        let folder = workspace::root().join("target");
        std::fs::create_dir_all(&folder).during("creating the target folder")?;
        let path = folder.join("snapshots-compared.txt");
        std::fs::write(&path, "").during("emptying the list of compared snapshots")?;
        Ok(Self(path))
    }

    /// Asks the tests that `cargo` runs to fill the list.
    pub(super) fn ask(&self, cargo: &mut Command) {
        cargo.env("INSTA_SNAPSHOT_REFERENCES_FILE", &self.0);
    }

    /// Says which snapshots of the project are not on the list.
    pub(super) fn judge(self) -> Result<bool> {
        let list = std::fs::read_to_string(&self.0).during("reading the compared snapshots")?;
        let compared: BTreeSet<PathBuf> = list
            .lines()
            .filter_map(|line| std::fs::canonicalize(line).ok())
            .collect();
        let mut well = true;
        for file in workspace::files()? {
            let path = workspace::root().join(&file);
            let is_snapshot = path
                .extension()
                .is_some_and(|extension| extension == "snap");
            if is_snapshot
                && !std::fs::canonicalize(&path).is_ok_and(|path| compared.contains(&path))
            {
                println!(
                    "{}: no test compares this snapshot; remove it",
                    file.display()
                );
                well = false;
            }
        }
        Ok(well)
    }
}
