//! An effect outside the store, as the contract declares it.

use std::time::Duration;

use crate::Lease;

/// What performing an effect twice would mean, and so what may follow when nobody knows whether it
/// happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectKind {
    /// The provider deduplicates on a key that is sent with the call: it may be called again with the
    /// same key, as long as the provider remembers it.
    KeyedRemote,
    /// Another system that does not deduplicate: it is never called again on a guess.
    Remote,
    /// What cannot be taken back, such as a mail.
    Irreversible,
}

impl EffectKind {
    /// The word of the contract.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KeyedRemote => "keyed-remote",
            Self::Remote => "remote",
            Self::Irreversible => "irreversible",
        }
    }

    /// The method of [`Operation`](crate::Operation) that performs it.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::KeyedRemote => "step",
            Self::Remote => "remote",
            Self::Irreversible => "irreversible",
        }
    }
}

/// One effect outside the store.
///
/// **Units and shapes**: every `_ms` is in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    name: &'static str,
    kind: EffectKind,
    key_lifetime: Duration,
    timeout: Option<Duration>,
    tries: u32,
    probe: Option<&'static str>,
}

/// How long a provider is taken to remember a key that the contract does not say: a day, which is
/// what the shortest of the documented ones promise.
const KEY_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

impl Effect {
    /// Performed by [`Operation::step`](crate::Operation::step).
    #[must_use]
    pub const fn keyed_remote(name: &'static str) -> Self {
        Self::new(name, EffectKind::KeyedRemote)
    }

    /// Performed by [`Operation::remote`](crate::Operation::remote).
    #[must_use]
    pub const fn remote(name: &'static str) -> Self {
        Self::new(name, EffectKind::Remote)
    }

    /// Performed by [`Operation::irreversible`](crate::Operation::irreversible).
    #[must_use]
    pub const fn irreversible(name: &'static str) -> Self {
        Self::new(name, EffectKind::Irreversible)
    }

    const fn new(name: &'static str, kind: EffectKind) -> Self {
        Self {
            name,
            kind,
            key_lifetime: KEY_LIFETIME,
            timeout: None,
            tries: 1,
            probe: None,
        }
    }

    /// How long the provider remembers a key; a day until told otherwise.
    #[must_use]
    pub const fn key_lifetime_ms(mut self, millis: u64) -> Self {
        self.key_lifetime = Duration::from_millis(millis);
        self
    }

    /// How long one call may take; as long as the lease allows until told otherwise.
    #[must_use]
    pub const fn timeout_ms(mut self, millis: u64) -> Self {
        self.timeout = Some(Duration::from_millis(millis));
        self
    }

    /// How often one attempt calls at most; only a keyed effect is called again. **Panics** on zero.
    #[must_use]
    pub const fn tries(mut self, tries: u32) -> Self {
        assert!(tries > 0, "an effect is tried at least once");
        self.tries = tries;
        self
    }

    /// The probe that is asked before a person is.
    #[must_use]
    pub const fn probe(mut self, name: &'static str) -> Self {
        self.probe = Some(name);
        self
    }
}

/// What was said.
impl Effect {
    /// The same effect, remembered for one lease less: so long a takeover can be sure that its
    /// provider knows the key until the end of the attempt.
    pub(crate) const fn known_throughout(mut self, lease: Lease) -> Self {
        self.key_lifetime = self.key_lifetime.saturating_sub(lease.duration());
        self
    }

    /// Its name, unique in the workflow.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> EffectKind {
        self.kind
    }

    /// How long the provider remembers its key; `None` where nothing deduplicates.
    #[must_use]
    pub const fn key_lifetime(&self) -> Option<Duration> {
        match self.kind {
            EffectKind::KeyedRemote => Some(self.key_lifetime),
            EffectKind::Remote | EffectKind::Irreversible => None,
        }
    }

    /// How long one call may take.
    #[must_use]
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The probe that is asked before a person is.
    #[must_use]
    pub const fn probe_name(&self) -> Option<&'static str> {
        self.probe
    }

    /// How often one attempt calls at most.
    #[must_use]
    pub const fn most_tries(&self) -> u32 {
        match self.kind {
            EffectKind::KeyedRemote => self.tries,
            EffectKind::Remote | EffectKind::Irreversible => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_provider_deduplicates_is_called_again() {
        let keyed = Effect::keyed_remote("refund").tries(3);
        assert_eq!(keyed.most_tries(), 3);
        assert_eq!(keyed.key_lifetime(), Some(KEY_LIFETIME));
        for unkeyed in [Effect::remote("call"), Effect::irreversible("mail")] {
            assert_eq!(unkeyed.tries(3).most_tries(), 1);
            assert_eq!(unkeyed.key_lifetime_ms(9).key_lifetime(), None);
        }
    }
}
