//! One operation, as a store is asked about it.

use std::time::SystemTime;

use crate::claim::Claim;
use crate::{Fingerprint, Key, Workflow};

/// One operation, as a store is asked about it.
#[derive(Clone, Debug)]
pub struct Request {
    workflow: &'static Workflow,
    key: Key,
    tenant: Option<Box<str>>,
    fingerprint: Fingerprint,
    previous: Vec<Previous>,
}

impl Request {
    /// The operation of that key and request hash.
    #[must_use]
    pub const fn new(workflow: &'static Workflow, key: Key, fingerprint: Fingerprint) -> Self {
        Self {
            workflow,
            key,
            tenant: None,
            fingerprint,
            previous: Vec::new(),
        }
    }

    /// The tenant it belongs to, for operators' lists; the key already tells tenants apart.
    #[must_use]
    pub fn tenant(mut self, tenant: impl Into<Box<str>>) -> Self {
        self.tenant = Some(tenant.into());
        self
    }

    /// The workflow.
    #[must_use]
    pub const fn workflow(&self) -> &'static Workflow {
        self.workflow
    }

    /// The key.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// The request hash.
    #[must_use]
    pub const fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The tenant, where one was named.
    #[must_use]
    pub fn tenant_name(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// The same operation under the key of a previous recipe, whose rows count until then by the
    /// store's clock.
    #[must_use]
    pub fn previous(mut self, key: Key, until: SystemTime) -> Self {
        self.previous.push(Previous { key, until });
        self
    }

    /// The keys of previous recipes, in the contract's order.
    #[must_use]
    pub fn previous_keys(&self) -> &[Previous] {
        &self.previous
    }

    /// Goes on under the key where the claim found its row.
    pub(crate) fn go_on(&mut self, claim: &Claim) {
        let at = claim.previous.map(usize::from);
        if let Some(previous) = at.and_then(|at| self.previous.get(at)) {
            self.key = previous.key.clone();
            self.previous = Vec::new();
        }
    }
}

/// An operation's key under a previous recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    key: Key,
    until: SystemTime,
}

impl Previous {
    /// The key.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// Until when its row counts, by the store's clock.
    #[must_use]
    pub const fn until(&self) -> SystemTime {
        self.until
    }

    /// The same in milliseconds since 1970.
    #[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
    pub(crate) fn until_millis(&self) -> i64 {
        let since = self.until.duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
    }
}
