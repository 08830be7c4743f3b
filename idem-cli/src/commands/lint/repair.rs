//! `--fix`, `--unsafe-fixes` and `--diff`.

use std::path::PathBuf;

use rayon::prelude::*;

use super::Args;
use crate::console::Console;
use crate::diff::unified;
use crate::discover::{Found, looks_like_a_contract};
use crate::engine::{Wanted, read};
use crate::fix::{Reach, fix};
use crate::lockfile::{Lockfile, Lockfiles};
use crate::output::count;
use crate::paths;
use crate::problem::{Problem, Problems};

/// A file that edits change.
struct Change {
    path: PathBuf,
    shown: String,
    before: Vec<u8>,
    after: Vec<u8>,
    settled: usize,
}

/// Applies what findings offer to the files, or shows it; returns a line that says how much.
pub(super) fn repair(
    args: &Args,
    found: &Found,
    wanted: &Wanted,
    console: &mut Console,
) -> Result<Option<String>, Problems> {
    let reach = if args.unsafe_fixes {
        Reach::All
    } else {
        Reach::Safe
    };
    // Without the lockfile nobody knows which keys are live, so it is looked at in any case.
    let lockfiles = Lockfiles::load(&console.cwd, &found.targets)?;
    let changes: Vec<_> = found
        .targets
        .par_iter()
        .filter_map(|target| {
            // What cannot be read is a finding of the run that follows.
            let before = read(&target.path).ok()?;
            if !target.certain && !looks_like_a_contract(&before) {
                return None;
            }
            let lock = lockfiles.of(target).and_then(Lockfile::lock);
            let fixed = fix(target, &before, lock, wanted, reach);
            (fixed.text != before).then(|| Change {
                path: target.path.clone(),
                shown: target.shown.clone(),
                before,
                after: fixed.text,
                settled: fixed.settled,
            })
        })
        .collect();
    if args.diff {
        for change in &changes {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let patch = unified(&change.shown, &text(&change.before), &text(&change.after));
            write!(console.out, "{patch}")?;
        }
        return Ok(None);
    }
    let mut problems = Problems::default();
    for change in &changes {
        // A link stays a link: what it leads to is written.
        let written = change
            .path
            .canonicalize()
            .and_then(|path| paths::replace(&path, &change.after));
        if let Err(error) = written {
            let problem = Problem::new(format!("cannot write `{}`", change.shown));
            problems.push(problem.why(error.to_string()));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let settled = changes.iter().map(|change| change.settled).sum();
    Ok((settled > 0).then(|| {
        format!(
            "{} fixed in {}",
            count(settled, "finding"),
            count(changes.len(), "file")
        )
    }))
}
