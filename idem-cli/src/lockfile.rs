//! `idem.lock`, one beside each folder of contracts.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;
use std::sync::Arc;

use idem_contract::lock::{Lock, Locked, check};
use idem_contract::{Diagnostic, parse};

use crate::discover::{LOCK_NAME, Target};
use crate::engine::read;
use crate::paths::shown;
use crate::problem::Problem;
use crate::project::Member;

/// The lockfile of one folder, as it was found.
#[derive(Debug)]
pub(crate) struct Lockfile {
    /// The file, whether or not it is there.
    pub(crate) target: Target,
    /// Its text; empty where there is none.
    pub(crate) source: Vec<u8>,
    /// What it says.
    pub(crate) state: State,
}

/// What a lockfile says.
#[derive(Debug)]
pub(crate) enum State {
    /// There is none.
    Absent,
    /// There is one, and it cannot be read.
    Broken(Vec<Diagnostic>),
    /// What it remembers.
    Read(Lock),
}

impl Lockfile {
    /// Reads the lockfile of the folder that `contract`, one of its files, belongs to.
    pub(crate) fn load(cwd: &Path, home: &Path, contract: &Target) -> Result<Self, Problem> {
        let path = home.join(LOCK_NAME);
        let shown = shown(cwd, &path);
        let (source, state) = match read(&path) {
            Ok(source) => {
                let state = match str::from_utf8(&source).map(Lock::parse) {
                    Ok(Ok(lock)) => State::Read(lock),
                    Ok(Err(findings)) => State::Broken(findings),
                    Err(_) => {
                        return Err(Problem::new(format!("`{shown}` is not UTF-8"))
                            .help("take the last committed version back and run `idem lock`"));
                    }
                };
                (source, state)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Vec::new(), State::Absent),
            Err(error) => {
                return Err(Problem::new(format!("cannot read `{shown}`")).why(error.to_string()));
            }
        };
        Ok(Self {
            target: Target {
                path,
                shown,
                ..contract.clone()
            },
            source,
            state,
        })
    }

    /// What it remembers, where it could be read.
    pub(crate) fn lock(&self) -> Option<&Lock> {
        match &self.state {
            State::Read(lock) => Some(lock),
            State::Absent | State::Broken(_) => None,
        }
    }

    /// Compares it with all contracts of its folder. `None` stands for the lockfile itself.
    pub(crate) fn check<'m>(
        &self,
        members: &[&'m Member],
        today: i32,
    ) -> Vec<(Option<&'m Member>, Diagnostic)> {
        let lock = match &self.state {
            State::Absent => None,
            State::Broken(findings) => {
                return findings
                    .iter()
                    .cloned()
                    .map(|finding| (None, finding))
                    .collect();
            }
            State::Read(lock) => Some(lock),
        };
        // Pairs that agree say nothing, and comparing every contract with every entry takes long
        // where there are thousands of both: only the rest goes into the comparison.
        let mut entries: HashMap<&str, &Locked> = lock
            .into_iter()
            .flat_map(|lock| &lock.workflows)
            .map(|locked| (locked.name.as_str(), locked))
            .collect();
        let rest: Vec<_> = members
            .iter()
            .filter(|member| match &member.locked {
                Some(now) if entries.get(now.name.as_str()) == Some(&now) => {
                    entries.remove(now.name.as_str());
                    false
                }
                Some(_) | None => true,
            })
            .collect();
        let lock = lock.map(|lock| Lock {
            workflows: lock
                .workflows
                .iter()
                .filter(|locked| entries.contains_key(locked.name.as_str()))
                .cloned()
                .collect(),
        });
        let contracts: Vec<_> = rest
            .iter()
            .map(|member| parse(&read(&member.target.path).unwrap_or_default()).contract)
            .collect();
        let named: Vec<_> = rest
            .iter()
            .zip(&contracts)
            .map(|(member, contract)| (member.target.shown.as_str(), contract))
            .collect();
        check(lock.as_ref(), &self.target.shown, &named, today)
            .into_iter()
            .map(|(at, finding)| (at.map(|at| *rest[at]), finding))
            .collect()
    }
}

/// The lockfiles of a run, by folder.
pub(crate) type Lockfiles = BTreeMap<Arc<Path>, Lockfile>;

/// Reads the lockfile of every folder that the files belong to.
pub(crate) fn load_all<'t>(
    cwd: &Path,
    targets: impl IntoIterator<Item = &'t Target>,
) -> Result<Lockfiles, Problem> {
    let mut lockfiles = Lockfiles::new();
    for target in targets {
        if let Some(home) = &target.home
            && !lockfiles.contains_key(home)
        {
            let lockfile = Lockfile::load(cwd, home, target)?;
            lockfiles.insert(Arc::clone(home), lockfile);
        }
    }
    Ok(lockfiles)
}
