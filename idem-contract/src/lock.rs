//! `idem.lock`: what the keys that are stored by now were made of.
//!
//! A contract says how keys are made from today on; only the lockfile remembers how they were made
//! before. One entry for each workflow, sorted by name, as text that reviews well.

mod check;
mod text;

use std::collections::HashSet;

pub use check::{ask_when_locked, check};

use crate::{Contract, HashSpec, Setting, Span, Window};

/// The lockfile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// One entry for each workflow, sorted by name.
    pub workflows: Vec<Locked>,
}

/// What the lockfile remembers of one workflow.
#[derive(Clone, Debug)]
pub struct Locked {
    /// The workflow, first part of every stored key.
    pub name: String,
    /// The version of the key recipe, part of every stored key.
    pub version: u32,
    /// The consumer, part of every stored key where there is one.
    pub consumer: Option<String>,
    /// The key's fields, in order.
    pub key: Vec<LockedField>,
    /// The fields of the request hash, sorted by name; `"all"` is resolved. Empty for none.
    pub hash: Vec<LockedField>,
    /// How long a finished key is remembered; `None` where no bookkeeping is kept.
    pub window: Option<Window>,
    /// The entry's place in the lockfile it was read from; bytes.
    pub span: Span,
}

impl PartialEq for Locked {
    /// Compares what is remembered, not where it stands.
    fn eq(&self, other: &Self) -> bool {
        let Self {
            name,
            version,
            consumer,
            key,
            hash,
            window,
            span: _,
        } = self;
        *name == other.name
            && *version == other.version
            && *consumer == other.consumer
            && *key == other.key
            && *hash == other.hash
            && *window == other.window
    }
}

impl Eq for Locked {}

/// A field of a recipe and its type, which decides about its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockedField {
    /// The payload field.
    pub name: String,
    /// The type's word.
    pub kind: String,
}

impl Lock {
    /// What the lockfile has to say of these contracts. A contract whose recipe could not be read
    /// has no entry.
    #[must_use]
    pub fn of(contracts: &[&Contract]) -> Self {
        let mut workflows: Vec<Locked> = (contracts.iter())
            .filter_map(|contract| Locked::of(contract))
            .collect();
        workflows.sort_by(|a, b| a.name.cmp(&b.name));
        workflows.dedup_by(|a, b| a.name == b.name);
        Self { workflows }
    }

    /// The entry of that workflow.
    #[must_use]
    pub fn find(&self, workflow: &str) -> Option<&Locked> {
        (self.workflows.iter()).find(|locked| locked.name == workflow)
    }
}

impl Locked {
    /// The entry of one contract; `None` where a part of its recipe could not be read.
    #[must_use]
    pub fn of(contract: &Contract) -> Option<Self> {
        let field = |name: &str| -> Option<LockedField> {
            Some(LockedField {
                name: name.to_owned(),
                kind: contract.field(name)?.kind.get()?.as_str().to_owned(),
            })
        };
        let key: Vec<LockedField> = match &contract.key.fields {
            Setting::Absent => Vec::new(),
            Setting::Unreadable(_) => return None,
            Setting::Given(given) => (given.value.iter())
                .map(|name| field(&name.value))
                .collect::<Option<_>>()?,
        };
        let mut hash: Vec<LockedField> = match &contract.request.hash {
            Setting::Unreadable(_) => return None,
            Setting::Absent => Vec::new(),
            Setting::Given(given) => match &given.value {
                HashSpec::None => Vec::new(),
                HashSpec::Fields(names) => (names.iter())
                    .map(|name| field(&name.value))
                    .collect::<Option<_>>()?,
                HashSpec::All => {
                    if !contract.complete
                        || matches!(contract.request.ignore, Setting::Unreadable(_))
                    {
                        return None;
                    }
                    let left_out: HashSet<&str> = (key.iter().map(|field| field.name.as_str()))
                        .chain(
                            (contract.request.ignore.get().into_iter().flatten())
                                .map(|name| name.value.as_str()),
                        )
                        .collect();
                    (contract.payload.iter())
                        .map(|declared| declared.name.value.as_str())
                        .filter(|name| !left_out.contains(name))
                        .map(field)
                        .collect::<Option<_>>()?
                }
            },
        };
        hash.sort();
        Some(Self {
            name: contract.workflow.get()?.clone(),
            version: *contract.version.get()?,
            consumer: match &contract.trigger.consumer {
                Setting::Absent => None,
                Setting::Unreadable(_) => return None,
                Setting::Given(given) => Some(given.value.clone()),
            },
            key,
            hash,
            window: match &contract.claim.window {
                Setting::Absent => None,
                Setting::Unreadable(_) => return None,
                Setting::Given(given) => Some(given.value),
            },
            span: Span::default(),
        })
    }

    /// Whether both make the same key text of the same event.
    #[must_use]
    pub fn has_key_of(&self, other: &Self) -> bool {
        self.version == other.version && self.consumer == other.consumer && self.key == other.key
    }
}

#[cfg(test)]
mod tests;
