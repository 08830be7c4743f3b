//! What a contract says, every value with its place.
//!
//! A contract is read as far as it can be understood: a value that was given but could not be read
//! is [`Setting::Unreadable`], so that a rule about its absence does not speak over the parser.

mod contract;
mod words;

use std::time::Duration;

use crate::{Span, Spanned};

pub(crate) use words::Word;
pub use words::{
    Change, EffectKind, EntityMemory, FieldType, Keep, Mode, OnAmbiguous, Origin, Outage, Strategy,
    TriggerKind,
};

/// One setting of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Setting<T> {
    /// Not written.
    #[default]
    Absent,
    /// Written, but not as the format asks; the parser has said so.
    Unreadable(Span),
    /// Written and understood. The span is the value's.
    Given(Spanned<T>),
}

impl<T> Setting<T> {
    /// The value, where there is one.
    #[must_use]
    pub const fn get(&self) -> Option<&T> {
        match self {
            Self::Given(spanned) => Some(&spanned.value),
            Self::Absent | Self::Unreadable(_) => None,
        }
    }

    /// Where it was written.
    #[must_use]
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Given(spanned) => Some(spanned.span),
            Self::Unreadable(span) => Some(*span),
            Self::Absent => None,
        }
    }

    /// Value and place, where the value was understood.
    #[must_use]
    pub const fn given(&self) -> Option<&Spanned<T>> {
        match self {
            Self::Given(spanned) => Some(spanned),
            Self::Absent | Self::Unreadable(_) => None,
        }
    }

    /// Whether nothing was written.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T: Copy> Setting<T> {
    /// The value, or the format's default where none was understood.
    #[must_use]
    pub fn or(&self, default: T) -> T {
        self.get().copied().unwrap_or(default)
    }
}

/// A table of the contract that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `[claim]`, brackets included; the key of a table that was written in another way.
    pub span: Span,
    /// Where a further entry may be inserted: behind the last entry and its comment, before the
    /// line break. See [`Contract::add_setting`].
    pub insert_at: usize,
    /// How it was written.
    pub style: TableStyle,
}

/// How a table was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStyle {
    /// `[claim]`, entries below.
    Section,
    /// `claim = { … }`, with at least one entry.
    Inline,
    /// `claim = {}`.
    EmptyInline,
    /// `claim.lease = "30s"`.
    Dotted,
}

/// A whole contract.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// `contract`: the format's version.
    pub format: Setting<u32>,
    /// `workflow`.
    pub workflow: Setting<String>,
    /// `version`: of the key recipe.
    pub version: Setting<u32>,
    /// `owner`.
    pub owner: Setting<String>,
    /// `summary`.
    pub summary: Setting<String>,
    /// `strategy`.
    pub strategy: Setting<Strategy>,
    /// `[trigger]`.
    pub trigger: Trigger,
    /// `[payload]`: the header, if any.
    pub payload_header: Option<Header>,
    /// `[payload]`: the fields, flattened, in the order written.
    pub payload: Vec<Field>,
    /// `[key]`.
    pub key: Key,
    /// `[request]`.
    pub request: Request,
    /// `[claim]`.
    pub claim: Claim,
    /// `[[effects]]`, in the order written.
    pub effects: Vec<Effect>,
    /// `[ordering]`.
    pub ordering: Ordering,
    /// `[response]`.
    pub response: Response,
    /// `[dead_letter]`.
    pub dead_letter: DeadLetter,
    /// `[cleanup]`.
    pub cleanup: Cleanup,
    /// `[upsert]`.
    pub upsert: Upsert,
    /// `[entity]`.
    pub entity: Entity,
    /// `[external]`.
    pub external: External,
    /// `[[allow]]`.
    pub allows: Vec<Allow>,
    /// Whether every declared field is in `payload` and every effect in `effects`. Where it is not
    /// (a broken line, a table of the wrong shape), nothing follows from a name that is not there.
    pub complete: bool,
    /// Behind the last root-level entry, before the line break; `None` without one.
    pub root_insert_at: Option<usize>,
    /// The first byte behind a byte-order mark.
    pub start: usize,
    /// The end of the text: where a missing table may be appended.
    pub end: usize,
}

/// How long a finished key is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// `"forever"`.
    Forever,
    /// A fixed time from completion.
    For(Duration),
}

/// What a caller gets while another attempt is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusyPolicy {
    /// `"reject"`.
    Reject,
    /// `"wait 2s"`; `None` for `"wait"` without a bound.
    Wait(Option<Duration>),
}

/// `[trigger]`.
#[derive(Clone, Debug, Default)]
pub struct Trigger {
    /// The table, where written.
    pub header: Option<Header>,
    /// `kind`.
    pub kind: Setting<TriggerKind>,
    /// `source`.
    pub source: Setting<String>,
    /// `redelivers_for`.
    pub redelivers_for: Setting<Duration>,
    /// `dead_letter_for`.
    pub dead_letter_for: Setting<Duration>,
    /// `redrive_for`.
    pub redrive_for: Setting<Duration>,
    /// `ordered`.
    pub ordered: Setting<bool>,
    /// `repeats`.
    pub repeats: Setting<bool>,
    /// `events`.
    pub events: Setting<Vec<Spanned<String>>>,
    /// `fan_out`.
    pub fan_out: Setting<bool>,
    /// `consumer`.
    pub consumer: Setting<String>,
}

/// One field of `[payload]`.
#[derive(Clone, Debug)]
pub struct Field {
    /// The dotted name, at the place of its (last) key.
    pub name: Spanned<String>,
    /// The whole declaration `{ … }`.
    pub span: Span,
    /// `type`.
    pub kind: Setting<FieldType>,
    /// `origin`.
    pub origin: Setting<Origin>,
    /// `required`.
    pub required: Setting<bool>,
    /// `personal`.
    pub personal: Setting<bool>,
    /// `values` of an enum.
    pub values: Setting<Vec<Spanned<String>>>,
    /// `default`: a stand-in for a missing value.
    pub default: Setting<DefaultValue>,
}

/// A stand-in for a missing value, in the contract's own text (`"EUR"`, `0`, `"uuid()"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultValue {
    /// The value as text, without quotes.
    pub text: String,
    /// The generator's name when the text is a call such as `uuid()` or `now()`.
    pub generator: Option<String>,
}

/// `[key]`.
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// The table, where written.
    pub header: Option<Header>,
    /// `fields`.
    pub fields: Setting<Vec<Spanned<String>>>,
    /// `tenant`.
    pub tenant: Setting<String>,
    /// `[[key.previous]]`.
    pub previous: Vec<PreviousKey>,
}

/// `[[key.previous]]`: an older recipe whose rows are still found.
#[derive(Clone, Debug)]
pub struct PreviousKey {
    /// The table.
    pub header: Header,
    /// `version`.
    pub version: Setting<u32>,
    /// `fields`.
    pub fields: Setting<Vec<Spanned<String>>>,
    /// `until`, as days since 1970-01-01 (UTC).
    pub until: Setting<i32>,
}

/// What the request hash covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashSpec {
    /// These fields.
    Fields(Vec<Spanned<String>>),
    /// `"all"`: every declared field that is neither in the key nor ignored.
    All,
    /// `"none"`: there is nothing but the key.
    None,
}

/// `[request]`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The table, where written.
    pub header: Option<Header>,
    /// `hash`.
    pub hash: Setting<HashSpec>,
    /// `ignore`.
    pub ignore: Setting<Vec<Spanned<String>>>,
}

/// `[claim]`.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The table, where written.
    pub header: Option<Header>,
    /// `lease`.
    pub lease: Setting<Duration>,
    /// `window`.
    pub window: Setting<Window>,
    /// `max_attempts`.
    pub max_attempts: Setting<u32>,
    /// `backoff`.
    pub backoff: Setting<Duration>,
    /// `heartbeat`.
    pub heartbeat: Setting<bool>,
    /// `busy`.
    pub busy: Setting<BusyPolicy>,
    /// `outage`.
    pub outage: Setting<Outage>,
    /// `mode`.
    pub mode: Setting<Mode>,
}

/// One `[[effects]]`.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The table.
    pub header: Header,
    /// `name`.
    pub name: Setting<String>,
    /// `kind`.
    pub kind: Setting<EffectKind>,
    /// `store`.
    pub store: Setting<String>,
    /// `target`.
    pub target: Setting<String>,
    /// `change`.
    pub change: Setting<Change>,
    /// `key_header`.
    pub key_header: Setting<String>,
    /// `provider`.
    pub provider: Setting<String>,
    /// `key_lifetime`.
    pub key_lifetime: Setting<Duration>,
    /// `timeout`.
    pub timeout: Setting<Duration>,
    /// `tries`.
    pub tries: Setting<u32>,
    /// `on_ambiguous`.
    pub on_ambiguous: Setting<OnAmbiguous>,
    /// `probe`.
    pub probe: Setting<String>,
}

impl Effect {
    /// The effect's name for messages and paths.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.get().map_or("?", String::as_str)
    }

    /// The store, or the default `main`.
    #[must_use]
    pub fn store(&self) -> &str {
        self.store.get().map_or("main", String::as_str)
    }

    /// Whether it can share the bookkeeping's transaction: local, in the main store.
    #[must_use]
    pub fn is_fusable(&self) -> bool {
        self.kind.get() == Some(&EffectKind::Local) && self.store() == "main"
    }

    /// Whether it happens outside any transaction of ours.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        matches!(
            self.kind.get(),
            Some(EffectKind::KeyedRemote | EffectKind::Remote | EffectKind::Irreversible)
        )
    }
}

/// `[ordering]`.
#[derive(Clone, Debug, Default)]
pub struct Ordering {
    /// The table, where written.
    pub header: Option<Header>,
    /// `entity`: one field or several.
    pub entity: Setting<Vec<Spanned<String>>>,
    /// `version`.
    pub version: Setting<String>,
    /// `tie_breaker`.
    pub tie_breaker: Setting<String>,
    /// `when_stale`; only `acknowledge` exists.
    pub when_stale: Setting<String>,
}

/// `[response]`.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// The table, where written.
    pub header: Option<Header>,
    /// `keep`.
    pub keep: Setting<Keep>,
    /// `max_bytes`.
    pub max_bytes: Setting<u64>,
    /// `redact`.
    pub redact: Setting<Vec<Spanned<String>>>,
}

/// `[dead_letter]`.
#[derive(Clone, Debug, Default)]
pub struct DeadLetter {
    /// The table, where written.
    pub header: Option<Header>,
    /// `owner`.
    pub owner: Setting<String>,
    /// `channel`.
    pub channel: Setting<String>,
    /// `deadline`.
    pub deadline: Setting<Duration>,
}

/// `[cleanup]`.
#[derive(Clone, Debug, Default)]
pub struct Cleanup {
    /// The table, where written.
    pub header: Option<Header>,
    /// `every`.
    pub every: Setting<Duration>,
    /// `batch`: rows.
    pub batch: Setting<u32>,
}

/// `[upsert]`.
#[derive(Clone, Debug, Default)]
pub struct Upsert {
    /// The table, where written.
    pub header: Option<Header>,
    /// `conflict_target`.
    pub conflict_target: Setting<Vec<Spanned<String>>>,
}

/// `[entity]`.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// The table, where written.
    pub header: Option<Header>,
    /// `field`.
    pub field: Setting<String>,
    /// `memory`.
    pub memory: Setting<EntityMemory>,
}

/// `[external]`.
#[derive(Clone, Debug, Default)]
pub struct External {
    /// The table, where written.
    pub header: Option<Header>,
    /// `store`.
    pub store: Setting<String>,
}

/// One `[[allow]]`: a silenced finding.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The table.
    pub header: Header,
    /// `rule`.
    pub rule: Setting<String>,
    /// `field`; without one, the whole rule.
    pub field: Setting<String>,
    /// `reason`.
    pub reason: Setting<String>,
    /// `until`, as days since 1970-01-01 (UTC).
    pub until: Setting<i32>,
}
