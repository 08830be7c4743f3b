//! The closed lists of words, each spelt once.

/// A closed list of words.
pub(crate) trait Word: Copy + 'static {
    /// Every value, in the format's order.
    const ALL: &'static [Self];
    /// The word in the contract.
    fn word(self) -> &'static str;
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// Every value, in the format's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in the contract.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value of that word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl Word for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

words! {
    /// Where the memory of a finished operation lives.
    Strategy {
        /// A bookkeeping table beside the business tables.
        Table = "table",
        /// A key-value store that shares no transaction.
        External = "external",
        /// A unique column of the business table.
        Upsert = "upsert",
        /// The entity's own row.
        Entity = "entity",
    }
}
words! {
    /// What starts the workflow.
    TriggerKind {
        /// A provider calls us.
        Webhook = "webhook",
        /// A client calls us.
        Http = "http",
        /// A queue delivers.
        Queue = "queue",
        /// A log is read.
        Stream = "stream",
        /// A clock.
        Schedule = "schedule",
        /// A person.
        Manual = "manual",
    }
}
words! {
    /// The type of a payload field.
    FieldType {
        /// Text.
        String = "string",
        /// A whole number.
        Integer = "integer",
        /// True or false.
        Boolean = "boolean",
        /// A UUID.
        Uuid = "uuid",
        /// An exact decimal number.
        Decimal = "decimal",
        /// A binary floating-point number.
        Float = "float",
        /// A calendar date.
        Date = "date",
        /// A moment.
        Timestamp = "timestamp",
        /// One of a list of words.
        Enum = "enum",
        /// Bytes.
        Bytes = "bytes",
        /// A nested object.
        Object = "object",
        /// A list.
        Array = "array",
    }
}
words! {
    /// Where a value is born: the key ladder.
    Origin {
        /// Assigned by the event's source, equal on each redelivery.
        SourceId = "source-id",
        /// Names the business fact.
        BusinessId = "business-id",
        /// Made once by the caller and stored before the first attempt.
        StoredBeforeAttempt = "stored-before-attempt",
        /// A counter per entity, assigned by the source.
        SourceSequence = "source-sequence",
        /// From the credentials, not from the body.
        Authenticated = "authenticated",
        /// A digest of declared fields.
        Content = "content",
        /// Topic, partition, offset.
        BrokerPosition = "broker-position",
        /// Which incarnation of a log a broker position counts in.
        LogGeneration = "log-generation",
        /// Which event type this is.
        EventType = "event-type",
        /// The current time.
        Clock = "clock",
        /// Drawn at call time.
        Random = "random",
        /// An index or a count.
        Position = "position",
        /// Which try this is.
        Attempt = "attempt",
        /// The machine or process.
        Environment = "environment",
    }
}
words! {
    /// What kind of effect it is.
    EffectKind {
        /// In a transactional database.
        Local = "local",
        /// Outside, deduplicated by the provider on a key we send.
        KeyedRemote = "keyed-remote",
        /// Outside, without a key.
        Remote = "remote",
        /// Cannot be undone or asked about.
        Irreversible = "irreversible",
    }
}
words! {
    /// How a local effect changes its target.
    Change {
        /// Writes a value.
        Set = "set",
        /// Adds a row.
        Insert = "insert",
        /// Adds to or subtracts from a value.
        Relative = "relative",
    }
}
words! {
    /// What happens when nobody knows whether an effect happened.
    OnAmbiguous {
        /// A person decides.
        DeadLetter = "dead-letter",
        /// A probe is asked first.
        Probe = "probe",
    }
}
words! {
    /// One transaction, or a committed claim first.
    Mode {
        /// Claim, handler and completion are one transaction.
        Fused = "fused",
        /// The claim commits first.
        Leased = "leased",
    }
}
words! {
    /// What to do when the store cannot be asked.
    Outage {
        /// Refuse.
        Closed = "closed",
        /// Run unprotected.
        Open = "open",
    }
}
words! {
    /// What is kept of a response.
    Keep {
        /// The whole response.
        Full = "full",
        /// Only that it succeeded.
        Tombstone = "tombstone",
    }
}
words! {
    /// What an entity remembers.
    EntityMemory {
        /// The last version applied.
        LastVersion = "last_version",
        /// The ids applied.
        ProcessedIds = "processed_ids",
    }
}
