//! Asking the other side whether an effect happened, before a person is asked.

use crate::{Fence, Key};

/// What a probe is asked about: one effect that began, and nobody knows whether it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub(crate) key: Key,
    pub(crate) effect: &'static str,
    pub(crate) attempt: u32,
    pub(crate) fence: Fence,
    pub(crate) reason: String,
}

impl Probe {
    /// The operation's key.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// The effect's name.
    #[must_use]
    pub const fn effect(&self) -> &'static str {
        self.effect
    }

    /// Which attempt began it, counted from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The fence of the attempt that began it, which it may have sent along.
    #[must_use]
    pub const fn fence(&self) -> Fence {
        self.fence
    }

    /// What is known.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// A probe's answer. A probe that cannot be sure says so: whatever else it says is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probed<T = ()> {
    /// It happened; this is what its call would have returned. It is recorded, and not performed again.
    Happened(T),
    /// It did not happen, and nothing that was sent before can still make it happen. The next attempt
    /// performs it.
    DidNotHappen,
    /// Nobody can tell: a person decides.
    CannotTell,
}
