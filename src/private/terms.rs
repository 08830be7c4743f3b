//! A workflow's terms, as an expansion writes them.

use crate::{Effect, Workflow};

/// What the contract says, in plain numbers: one literal costs the compiler a third of what a chain
/// of calls on a [`Workflow`] does, in every crate that has a handler.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The workflow's name.
    pub name: &'static str,
    /// The version of its key recipe, and of its hash recipe.
    pub version: u32,
    /// Which of several consumers we are.
    pub consumer: Option<&'static str>,
    /// The SHA-256 of the contract's text.
    pub digest: Option<[u8; 32]>,
    /// Whether the claim commits before the handler runs.
    pub leased: bool,
    /// How long one attempt owns a claim, above zero.
    pub lease_ms: u64,
    /// How long a finished key is remembered; `None` for ever.
    pub window_ms: Option<u64>,
    /// How many attempts an operation gets, above zero.
    pub max_attempts: u32,
    /// Whether the lease is renewed while the handler runs.
    pub heartbeat: bool,
    /// How long a busy caller waits for the other attempt's outcome.
    pub busy_wait_ms: Option<u64>,
    /// Whether the handler runs without protection when the store cannot be asked.
    pub outage_open: bool,
    /// Whether of a result only its time is kept.
    pub tombstone: bool,
    /// Of a result of more bytes only its time is kept.
    pub max_response_bytes: Option<u64>,
    /// The fields of a result that are not stored, by their dotted names.
    pub redact: &'static [&'static str],
    /// The version of the result's type.
    pub response_version: u32,
    /// Owner and channel of the cases that a person decides.
    pub dead_letter: Option<(&'static str, &'static str)>,
    /// How long such a case may wait.
    pub dead_letter_within_ms: Option<u64>,
    /// How often finished rows are removed, in milliseconds, and how many at a time.
    pub cleanup: Option<(u64, u32)>,
    /// The effects outside the store.
    pub effects: &'static [Effect],
}

impl Terms {
    /// What holds where the contract is silent.
    pub const USUAL: Self = Self {
        name: "",
        version: 1,
        consumer: None,
        digest: None,
        leased: false,
        lease_ms: 30_000,
        window_ms: Some(30 * 24 * 60 * 60 * 1000),
        max_attempts: 5,
        heartbeat: false,
        busy_wait_ms: None,
        outage_open: false,
        tombstone: false,
        max_response_bytes: None,
        redact: &[],
        response_version: 1,
        dead_letter: None,
        dead_letter_within_ms: None,
        cleanup: None,
        effects: &[],
    };
}

/// The workflow of these terms.
///
/// **Panics**, while compiling, on a lease or a number of attempts of zero.
#[must_use]
pub const fn workflow(terms: Terms) -> Workflow {
    Workflow::of_terms(terms)
}
