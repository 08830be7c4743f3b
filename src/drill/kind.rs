//! The drills, by name.

use std::fmt;

/// One drill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The event twice: one record, the second answer equal byte for byte and nothing written.
    ReplayBackToBack,
    /// The owner is dead and its lease over: the takeover finishes the work once. The owner is
    /// merely slow: it is fenced and changes nothing.
    ReplayAfterLease,
    /// Killed with the claim won and the handler not begun.
    KillBeforeWork,
    /// Killed with the handler's writes made and nothing recorded.
    KillMidWork,
    /// Killed with the completion written and nothing committed.
    KillBeforeCommit,
    /// Killed with everything committed and the caller not told.
    KillAfterCommit,
    /// 2, 8 and 50 workers on one message: one effect, and the losers answered at once.
    Race,
    /// Another request under the key of a row in each state; an equal but reordered one.
    SameKeyOtherBody,
    /// Events that differ only in a discriminating field all take effect.
    MustDiffer,
    /// The first attempt under a previous key recipe, the retry under the present one: one effect.
    OldRecipe,
}

impl Kind {
    /// Every drill, in the order in which they run.
    pub const ALL: [Self; 10] = [
        Self::ReplayBackToBack,
        Self::ReplayAfterLease,
        Self::KillBeforeWork,
        Self::KillMidWork,
        Self::KillBeforeCommit,
        Self::KillAfterCommit,
        Self::Race,
        Self::SameKeyOtherBody,
        Self::MustDiffer,
        Self::OldRecipe,
    ];

    /// The drill's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReplayBackToBack => "replay_back_to_back",
            Self::ReplayAfterLease => "replay_after_lease",
            Self::KillBeforeWork => "kill_before_work",
            Self::KillMidWork => "kill_mid_work",
            Self::KillBeforeCommit => "kill_before_commit",
            Self::KillAfterCommit => "kill_after_commit",
            Self::Race => "race",
            Self::SameKeyOtherBody => "same_key_other_body",
            Self::MustDiffer => "must_differ",
            Self::OldRecipe => "old_recipe",
        }
    }

    /// The drill of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
