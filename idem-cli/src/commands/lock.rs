//! `idem lock`: records what stored keys are made of.

use std::collections::BTreeMap;
use std::path::PathBuf;

use idem_contract::lock::{Lock, Locked};
use idem_contract::parse;

use crate::Exit;
use crate::console::Console;
use crate::discover::Discovery;
use crate::engine::{self, FileReport, Report, Wanted, read};
use crate::lockfile::{Lockfile, Lockfiles, State};
use crate::output::{self, Look};
use crate::paths;
use crate::problem::{Problem, Problems};
use crate::project::{self, Member, Recipe};

/// Writes or checks idem.lock: what the stored keys of each workflow are made of
///
/// One lockfile beside each folder of contracts. A change that makes live keys unfindable (another key
/// without a new version and an overlap, another name, another request hash, a shorter window) is shown
/// and not recorded; `--accept` records it all the same, once those keys have run out.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folders of contracts. Without any: `contracts` of idem.toml, else `contracts/`
    folders: Vec<PathBuf>,
    /// Write nothing; fail when a lockfile is missing or not current
    #[arg(long)]
    check: bool,
    /// Record changes that forget or refuse live keys
    #[arg(long, conflicts_with = "check")]
    accept: bool,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let found = Discovery::new(&console.cwd).find(&args.folders)?;
    let mut problems = found.problems;
    let lockfiles = Lockfiles::load(&console.cwd, &found.targets)?;
    let mut members = Vec::new();
    for target in found.targets {
        match read(&target.path) {
            Ok(source) => {
                let contract = parse(&source).contract;
                let lockfile = lockfiles.of(&target);
                members.push(Member::of(target, &contract, lockfile, true));
            }
            Err(error) => {
                let problem = Problem::new(format!("cannot read `{}`", target.shown));
                problems.push(problem.why(error.to_string()));
            }
        }
    }
    refuse_unreadable(&members, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    if lockfiles.is_empty() {
        console.report(
            &Problem::new("nothing to lock: there is no contract in a folder of contracts")
                .help("`idem init` starts a project, `idem new <workflow>` writes a contract")
                .into(),
        );
        return Ok(Exit::Nothing);
    }
    let mut worst = Exit::Fine;
    for (home, lockfile) in lockfiles.iter() {
        let members: Vec<_> = members
            .iter()
            .filter(|member| member.target.home.as_ref() == Some(home))
            .collect();
        if settle(args, lockfile, &members, console)? == Exit::Findings {
            worst = Exit::Findings;
        }
    }
    Ok(worst)
}

/// A recipe that cannot be read would look like a workflow that is gone.
fn refuse_unreadable(members: &[Member], problems: &mut Problems) {
    let unread = |member: &&Member| matches!(member.recipe, Recipe::Unreadable);
    for member in members.iter().filter(unread) {
        problems.push(
            Problem::new(format!(
                "what the keys of `{}` are made of cannot be read",
                member.target.shown
            ))
            .help(format!("`idem lint {}` says why", member.target.shown)),
        );
    }
    for (member, finding) in project::duplicates(members) {
        problems.push(
            Problem::new(format!("{}: {}", member.target.shown, finding.message))
                .help(finding.help),
        );
    }
}

fn settle(
    args: &Args,
    lockfile: &Lockfile,
    members: &[&Member],
    console: &mut Console,
) -> Result<Exit, Problems> {
    let shown = &lockfile.target.shown;
    let mut workflows: Vec<Locked> = members
        .iter()
        .filter_map(|member| match &member.recipe {
            Recipe::Unreadable => None,
            Recipe::Recorded(entry) => lockfile.lock()?.workflows.get(*entry).cloned(),
            Recipe::Of(locked) => Some(Locked::clone(locked)),
        })
        .collect();
    workflows.sort_by(|left, right| left.name.cmp(&right.name));
    let lock = Lock { workflows };
    let text = lock.to_string();
    if text.as_bytes() == lockfile.source {
        if !args.check {
            writeln!(console.out, "kept {shown}")?;
        }
        return Ok(Exit::Fine);
    }
    if args.check {
        let what = match lockfile.state {
            State::Absent => "is missing",
            State::Broken(_) => "cannot be read",
            State::Read(_) => "is not current",
        };
        writeln!(console.out, "{shown} {what}: run `idem lock`")?;
        return Ok(Exit::Findings);
    }
    if !args.accept && refuse_forgetting(lockfile, members, console)? {
        return Ok(Exit::Findings);
    }
    paths::replace(&lockfile.target.path, text.as_bytes())
        .map_err(|error| Problem::new(format!("cannot write `{shown}`")).why(error.to_string()))?;
    writeln!(console.out, "wrote {shown}")?;
    Ok(Exit::Fine)
}

/// Shows what would make live keys unfindable; whether there is anything.
fn refuse_forgetting(
    lockfile: &Lockfile,
    members: &[&Member],
    console: &mut Console,
) -> Result<bool, Problems> {
    let wanted = Wanted {
        today: engine::today(),
        ..Wanted::default()
    };
    let mut files: BTreeMap<String, FileReport> = BTreeMap::new();
    for (member, finding) in lockfile.check(members, wanted.today) {
        let broken = matches!(lockfile.state, State::Broken(_));
        if !broken && finding.rule == "stale-lock" {
            continue;
        }
        let (target, source) = match member {
            Some(member) => (
                &member.target,
                read(&member.target.path).unwrap_or_default(),
            ),
            None => (&lockfile.target, lockfile.source.clone()),
        };
        files
            .entry(target.shown.clone())
            .or_insert_with(|| FileReport {
                shown: target.shown.clone(),
                source,
                diagnostics: Vec::new(),
            })
            .diagnostics
            .push(finding);
    }
    if files.is_empty() {
        return Ok(false);
    }
    let report = Report::of(members.len(), files.into_values()).with_others(&console.cwd);
    let look = Look {
        colour: console.colour_out,
        strict: false,
    };
    (output::ALL[0].write)(&report, &look, &mut console.out)?;
    console.report(
        &Problem::new(format!("`{}` was not written", lockfile.target.shown))
            .why("retries under the old keys would find no row, or be refused")
            .help("change the contract as the findings say; `--accept` once no old key is live any more")
            .into(),
    );
    Ok(true)
}
