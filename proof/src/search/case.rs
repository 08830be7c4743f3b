//! What is searched: the protocol as it is, and its broken twins.

/// How a claim is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One transaction; a lock on the key tells a loser at once.
    Fused,
    /// The same where the lock is of no use, as when two keys share its number: the unique key must
    /// be enough.
    FusedWithoutLock,
    /// The claim commits first, under a lease.
    Leased,
}

/// The effect outside the store, which comes before the local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outside {
    /// The provider forgets a key [`Terms::key_lifetime`] after it saw it first.
    Keyed,
    /// Nobody recognises a second one.
    Irreversible,
}

/// One place in which a protocol is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twin {
    NoClaim,
    CheckThenInsert,
    ClaimAfterEffect,
    TwoTransactions,
    UnfencedCompletion,
    HashIgnored,
    ClockInKey,
    CompletionBeforeEffect,
    UnfencedFailure,
    RecordAfterCall,
    BegunMarkUnlocked,
    TakeoverIgnoresBegun,
    HangUpReleasesBegun,
    NoDeadline,
    KeyOfTheAttempt,
    KeyLifetimeIgnored,
    KeyKnownAtTakeover,
    BegunTimeRefreshed,
}

/// How often each thing may happen in one schedule. Ticks are the store's clock, and the owners'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Budget {
    /// Processes killed.
    pub(crate) crashes: u8,
    /// Answers lost: the statement was executed, or was not, or is later.
    pub(crate) losses: u8,
    /// Ticks while somebody could go on: a pause is as many as it lasts.
    pub(crate) ticks: u8,
    /// Callers that hang up in mid-call.
    pub(crate) hang_ups: u8,
    /// Attempts that fail and leave nothing behind.
    pub(crate) failures: u8,
    /// Windows that pass.
    pub(crate) windows: u8,
}

/// Durations, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) lease: u8,
    /// After that an owner neither calls nor commits. It is shorter than the lease.
    pub(crate) deadline: u8,
    pub(crate) key_lifetime: u8,
}

/// One search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) mode: Mode,
    pub(crate) outside: Option<Outside>,
    pub(crate) twin: Option<Twin>,
    /// One delivery each, of one key, with that body.
    pub(crate) bodies: &'static [u8],
    pub(crate) max_attempts: u32,
    pub(crate) terms: Terms,
    pub(crate) budget: Budget,
}

/// More than any schedule uses up.
pub(crate) const MANY: u32 = 30;

const TWO: &[u8] = &[0, 0];
const THREE: &[u8] = &[0, 0, 0];

const SHORT: Terms = Terms {
    lease: 2,
    deadline: 1,
    key_lifetime: 0,
};

/// Two ticks of work after a claim, so that a key can be forgotten while its owner works.
const KEYED: Terms = Terms {
    lease: 3,
    deadline: 2,
    key_lifetime: 7,
};

const FAULTS: Budget = Budget {
    crashes: 2,
    losses: 1,
    ticks: 4,
    hang_ups: 1,
    failures: 1,
    windows: 0,
};

impl Case {
    const fn new(name: &'static str, mode: Mode, budget: Budget) -> Self {
        Self {
            name,
            mode,
            outside: None,
            twin: None,
            bodies: TWO,
            max_attempts: MANY,
            terms: SHORT,
            budget,
        }
    }

    const fn of(mut self, bodies: &'static [u8]) -> Self {
        self.bodies = bodies;
        self
    }

    const fn outside(mut self, outside: Outside) -> Self {
        self.outside = Some(outside);
        if let Outside::Keyed = outside {
            self.terms = KEYED;
        }
        self
    }

    const fn attempts(mut self, most: u32) -> Self {
        self.max_attempts = most;
        self
    }

    const fn broken(mut self, twin: Twin) -> Self {
        self.twin = Some(twin);
        self
    }

    pub(crate) fn is(&self, twin: Twin) -> bool {
        self.twin == Some(twin)
    }

    /// How old a begun mark may be for the provider to know the key still.
    ///
    /// The attempt that takes over calls as late as its deadline, so a key that is known at the
    /// takeover is not enough: it must be known for as long as the attempt may call, which is less
    /// than its lease.
    pub(crate) fn known_for(&self) -> u8 {
        if self.is(Twin::KeyKnownAtTakeover) {
            self.terms.key_lifetime
        } else {
            self.terms.key_lifetime - self.terms.lease
        }
    }
}

/// The protocol as it is. In a deep search more goes wrong in one schedule.
pub(crate) fn whole(deep: bool) -> Vec<Case> {
    let two = if deep { more(FAULTS) } else { FAULTS };
    let three = if deep {
        Budget {
            crashes: 1,
            losses: 1,
            ticks: 4,
            hang_ups: 1,
            failures: 1,
            windows: 0,
        }
    } else {
        Budget {
            crashes: 1,
            losses: 1,
            ticks: 2,
            hang_ups: 0,
            failures: 0,
            windows: 0,
        }
    };
    // Long enough for a provider to forget a key after two takeovers, so less else goes wrong.
    let keyed = |budget: Budget, ticks| Budget {
        crashes: if deep { 2 } else { 1 },
        losses: 1,
        ticks,
        hang_ups: 0,
        failures: u8::from(deep),
        ..budget
    };
    let windows = |budget: Budget| Budget {
        windows: 1,
        hang_ups: 0,
        ticks: budget.ticks - 2,
        ..budget
    };
    vec![
        Case::new("fused, two workers", Mode::Fused, two),
        Case::new("fused, three workers", Mode::Fused, three).of(THREE),
        Case::new(
            "fused, the lock is of no use",
            Mode::FusedWithoutLock,
            three,
        )
        .of(THREE),
        Case::new("fused, another body", Mode::Fused, two).of(&[0, 1]),
        Case::new(
            "fused, a window passes",
            Mode::FusedWithoutLock,
            windows(two),
        ),
        Case::new("leased, two workers", Mode::Leased, two),
        Case::new("leased, three workers", Mode::Leased, three).of(THREE),
        Case::new("leased, another body", Mode::Leased, two).of(&[0, 1]),
        Case::new("leased, a window passes", Mode::Leased, windows(two)),
        Case::new("leased, two attempts at most", Mode::Leased, two).attempts(2),
        Case::new("keyed remote, two workers", Mode::Leased, keyed(two, 8)).outside(Outside::Keyed),
        Case::new("keyed remote, three workers", Mode::Leased, keyed(three, 4))
            .outside(Outside::Keyed)
            .of(THREE),
        Case::new("irreversible, two workers", Mode::Leased, two).outside(Outside::Irreversible),
        Case::new("irreversible, three workers", Mode::Leased, three)
            .outside(Outside::Irreversible)
            .of(THREE),
    ]
}

const fn more(budget: Budget) -> Budget {
    Budget {
        crashes: budget.crashes + 1,
        losses: budget.losses + 1,
        ticks: budget.ticks + 1,
        ..budget
    }
}

/// Each twin, in the smallest setting in which its defect can show.
pub(crate) fn twins() -> Vec<Case> {
    let local = |name, mode, twin| Case::new(name, mode, FAULTS).broken(twin);
    let irreversible = |name, twin| local(name, Mode::Leased, twin).outside(Outside::Irreversible);
    let faults = |crashes, ticks| Budget {
        crashes,
        ticks,
        ..Budget::default()
    };
    let pause = faults(0, 2);
    let keyed = |name, twin, crashes, ticks| {
        let budget = faults(crashes, ticks);
        Case::new(name, Mode::Leased, budget)
            .outside(Outside::Keyed)
            .broken(twin)
    };
    vec![
        local("no claim", Mode::Fused, Twin::NoClaim),
        local("check then insert", Mode::Fused, Twin::CheckThenInsert),
        local(
            "claim after the effect",
            Mode::Leased,
            Twin::ClaimAfterEffect,
        ),
        local("two transactions", Mode::Leased, Twin::TwoTransactions),
        local(
            "unfenced completion",
            Mode::Leased,
            Twin::UnfencedCompletion,
        ),
        local("hash ignored", Mode::Fused, Twin::HashIgnored).of(&[0, 1]),
        Case::new("clock in the key", Mode::Fused, pause).broken(Twin::ClockInKey),
        local(
            "completion before the effect",
            Mode::Leased,
            Twin::CompletionBeforeEffect,
        ),
        irreversible("unfenced failure and release", Twin::UnfencedFailure),
        irreversible(
            "record after the call, no begun mark",
            Twin::RecordAfterCall,
        ),
        irreversible("begun mark that locks no row", Twin::BegunMarkUnlocked),
        irreversible(
            "takeover ignores the begun effect",
            Twin::TakeoverIgnoresBegun,
        ),
        irreversible(
            "hanging up releases a begun effect",
            Twin::HangUpReleasesBegun,
        ),
        keyed("no deadline of the owner's", Twin::NoDeadline, 0, 9),
        keyed("provider key of the attempt", Twin::KeyOfTheAttempt, 1, 0),
        keyed("key lifetime ignored", Twin::KeyLifetimeIgnored, 1, 8),
        keyed(
            "key known at the takeover only",
            Twin::KeyKnownAtTakeover,
            1,
            8,
        ),
        keyed(
            "begun time refreshed by a retry",
            Twin::BegunTimeRefreshed,
            2,
            9,
        ),
    ]
}
