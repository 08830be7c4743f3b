//! One workflow, as the attribute lowers its contract: constants, no parsing at run time.

use std::time::Duration;

use crate::Effect;
use crate::policy::{Busy, Keep, Lease, Mode, Outage, Window};
use crate::private::Terms;

/// What the runtime knows about a workflow.
///
/// The attribute writes it from the contract; by hand it is built in a `static`:
///
/// ```
/// use idem::Workflow;
///
/// static REFUND: Workflow = Workflow::new("refund-order", 2)
///     .lease_ms(30_000)
///     .window_ms(30 * 24 * 60 * 60 * 1000)
///     .max_attempts(5);
///
/// assert_eq!(REFUND.name(), "refund-order");
/// ```
///
/// **Units and shapes**: every `_ms` is in whole milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workflow {
    name: &'static str,
    version: u32,
    consumer: Option<&'static str>,
    digest: Option<[u8; 32]>,
    mode: Mode,
    lease: Lease,
    window: Window,
    max_attempts: u32,
    heartbeat: bool,
    busy: Busy,
    outage: Outage,
    keep: Keep,
    max_response_bytes: Option<u64>,
    redact: &'static [&'static str],
    response_version: u32,
    hash_recipe: u32,
    dead_letter: Option<Recipient>,
    cleanup: Option<(Duration, u32)>,
    effects: &'static [Effect],
}

/// Who is told about a case that only a person can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recipient {
    /// The person or team.
    pub owner: &'static str,
    /// Where they are told.
    pub channel: &'static str,
    /// How long a case may wait.
    pub deadline: Option<Duration>,
}

impl Workflow {
    /// A workflow of that name, and of that version of its key recipe.
    ///
    /// Until told otherwise: fused, a lease of 30 s, a window of 30 days, five attempts, no
    /// heartbeat, busy callers are told so at once, an outage refuses, results are kept in full,
    /// and the hash recipe has the key recipe's version.
    #[must_use]
    pub const fn new(name: &'static str, version: u32) -> Self {
        Self {
            name,
            version,
            consumer: None,
            digest: None,
            mode: Mode::Fused,
            lease: Lease::from_millis(30_000),
            window: Window::For(Duration::from_secs(30 * 24 * 60 * 60)),
            max_attempts: 5,
            heartbeat: false,
            busy: Busy::Reject,
            outage: Outage::Closed,
            keep: Keep::Full,
            max_response_bytes: None,
            redact: &[],
            response_version: 1,
            hash_recipe: version,
            dead_letter: None,
            cleanup: None,
            effects: &[],
        }
    }

    pub(crate) const fn of_terms(terms: Terms) -> Self {
        assert!(
            terms.max_attempts > 0,
            "an operation gets at least one attempt"
        );
        Self {
            name: terms.name,
            version: terms.version,
            consumer: terms.consumer,
            digest: terms.digest,
            mode: if terms.leased {
                Mode::Leased
            } else {
                Mode::Fused
            },
            lease: Lease::from_millis(terms.lease_ms),
            window: match terms.window_ms {
                Some(millis) => Window::For(Duration::from_millis(millis)),
                None => Window::Forever,
            },
            max_attempts: terms.max_attempts,
            heartbeat: terms.heartbeat,
            busy: match terms.busy_wait_ms {
                Some(millis) => Busy::Wait(Duration::from_millis(millis)),
                None => Busy::Reject,
            },
            outage: if terms.outage_open {
                Outage::Open
            } else {
                Outage::Closed
            },
            keep: if terms.tombstone {
                Keep::Tombstone
            } else {
                Keep::Full
            },
            max_response_bytes: terms.max_response_bytes,
            redact: terms.redact,
            response_version: terms.response_version,
            hash_recipe: terms.version,
            dead_letter: match terms.dead_letter {
                Some((owner, channel)) => Some(Recipient {
                    owner,
                    channel,
                    deadline: match terms.dead_letter_within_ms {
                        Some(millis) => Some(Duration::from_millis(millis)),
                        None => None,
                    },
                }),
                None => None,
            },
            cleanup: match terms.cleanup {
                Some((millis, batch)) => Some((Duration::from_millis(millis), batch)),
                None => None,
            },
            effects: terms.effects,
        }
    }

    /// Which of several consumers of one event we are.
    #[must_use]
    pub const fn consumer(mut self, consumer: &'static str) -> Self {
        self.consumer = Some(consumer);
        self
    }

    /// The SHA-256 of the contract's text, in hex. **Panics** on anything else.
    #[must_use]
    pub const fn digest(mut self, hex: &'static str) -> Self {
        self.digest = Some(sha256(hex.as_bytes()));
        self
    }

    /// Whether claim, handler and completion are one transaction.
    #[must_use]
    pub const fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// How long one attempt owns a claim. **Panics** on zero, as [`Lease::from_millis`] does.
    #[must_use]
    pub const fn lease_ms(mut self, millis: u64) -> Self {
        self.lease = Lease::from_millis(millis);
        self
    }

    /// How long a finished key is remembered.
    #[must_use]
    pub const fn window_ms(mut self, millis: u64) -> Self {
        self.window = Window::For(Duration::from_millis(millis));
        self
    }

    /// A finished key is remembered for ever.
    #[must_use]
    pub const fn window_forever(mut self) -> Self {
        self.window = Window::Forever;
        self
    }

    /// How many attempts an operation gets. **Panics** on zero.
    #[must_use]
    pub const fn max_attempts(mut self, attempts: u32) -> Self {
        assert!(attempts > 0, "an operation gets at least one attempt");
        self.max_attempts = attempts;
        self
    }

    /// The lease is renewed, at a third of it, while the handler runs.
    #[must_use]
    pub const fn heartbeat(mut self) -> Self {
        self.heartbeat = true;
        self
    }

    /// A busy caller waits for the other attempt's outcome, up to that long.
    #[must_use]
    pub const fn busy_wait_ms(mut self, millis: u64) -> Self {
        self.busy = Busy::Wait(Duration::from_millis(millis));
        self
    }

    /// When the store cannot be asked, the handler runs without protection.
    #[must_use]
    pub const fn outage_open(mut self) -> Self {
        self.outage = Outage::Open;
        self
    }

    /// Of a result only its time is kept.
    #[must_use]
    pub const fn keep_tombstone(mut self) -> Self {
        self.keep = Keep::Tombstone;
        self
    }

    /// Of a result of more bytes than that only its time is kept.
    #[must_use]
    pub const fn max_response_bytes(mut self, bytes: u64) -> Self {
        self.max_response_bytes = Some(bytes);
        self
    }

    /// The fields of a result that are not stored, by their dotted names: each is `null` instead. A
    /// name that meets a list means the field of each of its elements.
    ///
    /// A result that does not decode without them is refused when it is first completed: they have to
    /// be `Option`s, or to have a default for `null`.
    #[must_use]
    pub const fn redact(mut self, fields: &'static [&'static str]) -> Self {
        self.redact = fields;
        self
    }

    /// The version of the result's type, stored beside each result.
    #[must_use]
    pub const fn response_version(mut self, version: u32) -> Self {
        self.response_version = version;
        self
    }

    /// The version of the request hash's recipe, stored beside each hash.
    #[must_use]
    pub const fn hash_recipe(mut self, version: u32) -> Self {
        self.hash_recipe = version;
        self
    }

    /// Who is told about ambiguous and exhausted operations, and where.
    #[must_use]
    pub const fn dead_letter(mut self, owner: &'static str, channel: &'static str) -> Self {
        self.dead_letter = Some(Recipient {
            owner,
            channel,
            deadline: None,
        });
        self
    }

    /// How long such a case may wait. Means nothing before [`Workflow::dead_letter`].
    #[must_use]
    pub const fn dead_letter_within_ms(mut self, millis: u64) -> Self {
        if let Some(recipient) = &mut self.dead_letter {
            recipient.deadline = Some(Duration::from_millis(millis));
        }
        self
    }

    /// How often finished rows past their window are removed, and how many at a time.
    #[must_use]
    pub const fn cleanup_ms(mut self, every: u64, batch: u32) -> Self {
        self.cleanup = Some((Duration::from_millis(every), batch));
        self
    }

    /// The effects outside the store, which ask for [`Mode::Leased`].
    #[must_use]
    pub const fn effects(mut self, effects: &'static [Effect]) -> Self {
        self.effects = effects;
        self
    }
}

/// What was said.
impl Workflow {
    /// The workflow's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The version of its key recipe.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Which consumer it is, where several get each event.
    #[must_use]
    pub const fn consumer_name(&self) -> Option<&'static str> {
        self.consumer
    }

    /// The SHA-256 of the contract's text; `None` where there is no contract.
    #[must_use]
    pub const fn contract_digest(&self) -> Option<&[u8; 32]> {
        self.digest.as_ref()
    }

    /// Whether claim, handler and completion are one transaction.
    #[must_use]
    pub const fn claim_mode(&self) -> Mode {
        self.mode
    }

    /// How long one attempt owns a claim.
    #[must_use]
    pub const fn lease(&self) -> Lease {
        self.lease
    }

    /// How long a finished key is remembered.
    #[must_use]
    pub const fn window(&self) -> Window {
        self.window
    }

    /// How many attempts an operation gets.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.max_attempts
    }

    /// Whether the lease is renewed while the handler runs.
    #[must_use]
    pub const fn renews(&self) -> bool {
        self.heartbeat
    }

    /// What a busy caller is told.
    #[must_use]
    pub const fn busy(&self) -> Busy {
        self.busy
    }

    /// What happens when the store cannot be asked.
    #[must_use]
    pub const fn outage(&self) -> Outage {
        self.outage
    }

    /// What is kept of a result of that many bytes.
    #[must_use]
    pub const fn keeps(&self, bytes: u64) -> Keep {
        match (self.keep, self.max_response_bytes) {
            (Keep::Full, Some(most)) if bytes > most => Keep::Tombstone,
            (keep, _) => keep,
        }
    }

    /// The fields of a result that are not stored.
    #[must_use]
    pub const fn redacted(&self) -> &'static [&'static str] {
        self.redact
    }

    /// The version of the result's type.
    #[must_use]
    pub const fn result_version(&self) -> u32 {
        self.response_version
    }

    /// The version of the request hash's recipe.
    #[must_use]
    pub const fn recipe(&self) -> u32 {
        self.hash_recipe
    }

    /// Who is told about ambiguous and exhausted operations.
    #[must_use]
    pub const fn dead_letters(&self) -> Option<Recipient> {
        self.dead_letter
    }

    /// How often finished rows are removed, and how many at a time.
    #[must_use]
    pub const fn cleanup(&self) -> Option<(Duration, u32)> {
        self.cleanup
    }

    /// The effects outside the store.
    #[must_use]
    pub const fn outside_effects(&self) -> &'static [Effect] {
        self.effects
    }

    /// Whether an effect has a probe.
    #[must_use]
    pub fn asks_probes(&self) -> bool {
        self.effects
            .iter()
            .any(|effect| effect.probe_name().is_some())
    }

    /// The effect outside the store of that name.
    #[must_use]
    pub fn effect(&self, name: &str) -> Option<&'static Effect> {
        self.effects.iter().find(|effect| effect.name() == name)
    }
}

/// Reads 64 hex digits.
const fn sha256(hex: &[u8]) -> [u8; 32] {
    assert!(hex.len() == 64, "a SHA-256 is written with 64 hex digits");
    let mut bytes = [0; 32];
    let mut at = 0;
    while at < 64 {
        let digit = match hex[at] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            _ => panic!("a SHA-256 is written with hex digits"),
        };
        bytes[at / 2] = bytes[at / 2] * 16 + digit;
        at += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_from_hex_while_compiling() {
        const WORKFLOW: Workflow = Workflow::new("w", 1)
            .digest("00ff10aB00000000000000000000000000000000000000000000000000000001");
        let digest = WORKFLOW.contract_digest().expect("it was given");
        assert_eq!(digest[..4], [0x00, 0xff, 0x10, 0xab]);
        assert_eq!(digest[31], 1);
        assert_eq!(Workflow::new("w", 1).contract_digest(), None);
    }

    #[test]
    fn a_result_over_the_limit_leaves_a_tombstone() {
        let workflow = Workflow::new("w", 1).max_response_bytes(10);
        assert_eq!(workflow.keeps(10), Keep::Full);
        assert_eq!(workflow.keeps(11), Keep::Tombstone);
        assert_eq!(workflow.keep_tombstone().keeps(0), Keep::Tombstone);
    }
}
