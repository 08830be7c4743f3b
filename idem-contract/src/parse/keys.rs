//! The names that may be written in each table: one list, read by the decoder, by the
//! did-you-mean and by the schema's test.

/// The keys of one table.
pub(crate) trait Keys: Copy + 'static {
    /// Every key, in the format's order.
    const WORDS: &'static [&'static str];
    /// The key of that name.
    fn from_word(word: &str) -> Option<Self>;
}

macro_rules! keys {
    ($($name:ident { $($variant:ident = $word:literal),+ $(,)? })+) => { $(
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),+ }

        impl Keys for $name {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    )+ };
}

keys! {
    RootKey {
        Contract = "contract",
        Workflow = "workflow",
        Version = "version",
        Owner = "owner",
        Summary = "summary",
        Strategy = "strategy",
        Trigger = "trigger",
        Payload = "payload",
        Key = "key",
        Request = "request",
        Claim = "claim",
        Effects = "effects",
        Ordering = "ordering",
        Response = "response",
        DeadLetter = "dead_letter",
        Cleanup = "cleanup",
        Upsert = "upsert",
        Entity = "entity",
        External = "external",
        Allow = "allow",
    }
    TriggerKey {
        Kind = "kind",
        Source = "source",
        RedeliversFor = "redelivers_for",
        DeadLetterFor = "dead_letter_for",
        Ordered = "ordered",
        RedriveFor = "redrive_for",
        Repeats = "repeats",
        Events = "events",
        FanOut = "fan_out",
        Consumer = "consumer",
    }
    FieldKey {
        Type = "type",
        Origin = "origin",
        Required = "required",
        Personal = "personal",
        Values = "values",
        Default = "default",
    }
    KeyKey {
        Fields = "fields",
        Tenant = "tenant",
        Previous = "previous",
    }
    PreviousKeyKey {
        Version = "version",
        Fields = "fields",
        Until = "until",
    }
    RequestKey {
        Hash = "hash",
        Ignore = "ignore",
    }
    ClaimKey {
        Lease = "lease",
        Window = "window",
        MaxAttempts = "max_attempts",
        Backoff = "backoff",
        Heartbeat = "heartbeat",
        Busy = "busy",
        Outage = "outage",
        Mode = "mode",
    }
    EffectKey {
        Name = "name",
        Kind = "kind",
        Store = "store",
        Target = "target",
        Change = "change",
        KeyHeader = "key_header",
        Provider = "provider",
        KeyLifetime = "key_lifetime",
        Timeout = "timeout",
        Tries = "tries",
        OnAmbiguous = "on_ambiguous",
        Probe = "probe",
    }
    OrderingKey {
        Entity = "entity",
        Version = "version",
        TieBreaker = "tie_breaker",
        WhenStale = "when_stale",
    }
    ResponseKey {
        Keep = "keep",
        MaxBytes = "max_bytes",
        Redact = "redact",
    }
    DeadLetterKey {
        Owner = "owner",
        Channel = "channel",
        Deadline = "deadline",
    }
    CleanupKey {
        Every = "every",
        Batch = "batch",
    }
    UpsertKey {
        ConflictTarget = "conflict_target",
    }
    EntityKey {
        Field = "field",
        Memory = "memory",
    }
    ExternalKey {
        Store = "store",
    }
    AllowKey {
        Rule = "rule",
        Field = "field",
        Reason = "reason",
        Until = "until",
    }
}

/// Every table with its keys; the root has no name, a payload field stands as `payload.*`.
pub(crate) const TABLES: &[(&str, &[&str])] = &[
    ("", RootKey::WORDS),
    ("trigger", TriggerKey::WORDS),
    ("payload.*", FieldKey::WORDS),
    ("key", KeyKey::WORDS),
    ("key.previous", PreviousKeyKey::WORDS),
    ("request", RequestKey::WORDS),
    ("claim", ClaimKey::WORDS),
    ("effects", EffectKey::WORDS),
    ("ordering", OrderingKey::WORDS),
    ("response", ResponseKey::WORDS),
    ("dead_letter", DeadLetterKey::WORDS),
    ("cleanup", CleanupKey::WORDS),
    ("upsert", UpsertKey::WORDS),
    ("entity", EntityKey::WORDS),
    ("external", ExternalKey::WORDS),
    ("allow", AllowKey::WORDS),
];
