//! Snapshots are accepted, named, and speak of their content.

use std::path::Path;

use super::Project;
use crate::workspace;

/// Snapshots nobody has judged yet, and snapshots known by a number.
pub(super) fn check(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    pending(&workspace::root(), &mut out);
    for (path, text) in project.with_extension("snap") {
        let name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy())
            .unwrap_or_default();
        let number = name.rsplit(['-', '_']).next().unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            out.push(format!(
                "{}: a snapshot known by a number; name it after what it shows",
                path.display()
            ));
        }
        if text.lines().any(|line| line.starts_with("assertion_line:")) {
            out.push(format!(
                "{}: keeps the line of its test, and changes with every edit above it; run the test \
                 with INSTA_UPDATE=always",
                path.display()
            ));
        }
    }
    out
}

/// Git ignores these files, so they are looked for on the disk.
fn pending(folder: &Path, out: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() && !path.is_symlink() {
            if name != "target" && !name.starts_with('.') {
                pending(&path, out);
            }
        } else if name.ends_with(".snap.new") || name.ends_with(".pending-snap") {
            out.push(format!(
                "{}: a snapshot that nobody has accepted; read it, then accept or remove it",
                path.display()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::{check, pending};

    #[test]
    fn a_numbered_snapshot_is_found() {
        let found = check(&Project::of(&[
            ("a/snapshots/m__refund-2.snap", ""),
            ("a/snapshots/m__two_parts.snap", ""),
        ]));
        assert_eq!(
            found
                .iter()
                .filter(|sentence| sentence.contains("by a number"))
                .count(),
            1,
            "{found:?}"
        );
    }

    #[test]
    fn a_pending_snapshot_is_found_wherever_it_lies() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let deep = folder.path().join("tests/snapshots");
        std::fs::create_dir_all(&deep)?;
        std::fs::write(deep.join("a.snap.new"), "")?;
        std::fs::write(deep.join("a.snap"), "")?;
        let mut out = Vec::new();
        pending(folder.path(), &mut out);
        assert_eq!(out.len(), 1, "{out:?}");
        Ok(())
    }
}
