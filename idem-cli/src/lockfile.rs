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
use crate::project::{Member, Recipe};

/// The lockfile of one folder, as it was found.
#[derive(Debug)]
pub(crate) struct Lockfile {
    /// The file, whether or not it is there.
    pub(crate) target: Target,
    /// Its text; empty where there is none.
    pub(crate) source: Vec<u8>,
    /// What it says.
    pub(crate) state: State,
    /// Its entries by workflow.
    entries: HashMap<String, usize>,
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
        let mut entries = HashMap::new();
        if let State::Read(lock) = &state {
            for (number, locked) in lock.workflows.iter().enumerate() {
                entries.insert(locked.name.clone(), number);
            }
        }
        Ok(Self {
            entries,
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

    /// The number of the entry that says just this.
    pub(crate) fn entry(&self, locked: &Locked) -> Option<usize> {
        let State::Read(lock) = &self.state else {
            return None;
        };
        let entry = *self.entries.get(&locked.name)?;
        (lock.workflows[entry] == *locked).then_some(entry)
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
        let mut settled = vec![false; lock.map_or(0, |lock| lock.workflows.len())];
        let mut rest = Vec::new();
        for member in members {
            match member.recipe {
                Recipe::Recorded(entry) => settled[entry] = true,
                Recipe::Unreadable | Recipe::Of(_) => rest.push(*member),
            }
        }
        let lock = lock.map(|lock| Lock {
            workflows: lock
                .workflows
                .iter()
                .zip(&settled)
                .filter(|(_, settled)| !**settled)
                .map(|(locked, _)| locked.clone())
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
            .map(|(at, finding)| (at.map(|at| rest[at]), finding))
            .collect()
    }
}

/// The lockfiles of a run, by folder.
#[derive(Debug, Default)]
pub(crate) struct Lockfiles(BTreeMap<Arc<Path>, Lockfile>);

impl Lockfiles {
    /// Reads the lockfile of every folder that the files belong to.
    pub(crate) fn load<'t>(
        cwd: &Path,
        targets: impl IntoIterator<Item = &'t Target>,
    ) -> Result<Self, Problem> {
        let mut lockfiles = BTreeMap::new();
        for target in targets {
            if let Some(home) = &target.home
                && !lockfiles.contains_key(home)
            {
                let lockfile = Lockfile::load(cwd, home, target)?;
                lockfiles.insert(Arc::clone(home), lockfile);
            }
        }
        Ok(Self(lockfiles))
    }

    /// The lockfile of the folder that a file belongs to.
    pub(crate) fn of(&self, target: &Target) -> Option<&Lockfile> {
        self.0.get(target.home.as_ref()?)
    }

    /// Each folder with its lockfile.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Arc<Path>, &Lockfile)> {
        self.0.iter()
    }

    /// Whether no file belongs to any folder.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
