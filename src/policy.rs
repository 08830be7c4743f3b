//! What a contract says about claims, as types: two durations side by side get swapped one day.

use std::time::Duration;

/// Whether claim, handler and completion are one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Every effect is local to the main store: one transaction, one commit, and a crash leaves
    /// nothing behind.
    Fused,
    /// The claim commits first; local effects and completion commit together, under the fence.
    Leased,
}

/// How long one attempt owns a claim before another may take it over.
///
/// **Units and shapes**: whole milliseconds, at least one. The store's clock judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease(Duration);

impl Lease {
    /// A lease of that many milliseconds.
    ///
    /// **Panics** on zero, when compiling where it stands in a constant: a claim that is over
    /// before it begins protects nothing.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        assert!(millis > 0, "a lease lasts at least one millisecond");
        Self(Duration::from_millis(millis))
    }

    /// The lease's length.
    #[must_use]
    pub const fn duration(self) -> Duration {
        self.0
    }

    /// How long after asking for the claim its owner may still commit: nine tenths of the lease.
    /// The owner's clock starts before the store's does and may run slower, so its own deadline
    /// has to be the shorter one.
    #[must_use]
    pub const fn own_deadline(self) -> Duration {
        Duration::from_millis((self.0.as_millis() as u64).saturating_mul(9) / 10)
    }

    /// The pause between two renewals: a third of the lease, so that one may fail.
    #[must_use]
    pub const fn heartbeat(self) -> Duration {
        Duration::from_micros((self.0.as_millis() as u64).saturating_mul(1000) / 3)
    }

    /// Whole milliseconds, as a signed 64-bit parameter takes them.
    #[must_use]
    pub const fn millis(self) -> i64 {
        let millis = self.0.as_millis();
        if millis > MILLIS_MAX as u128 {
            MILLIS_MAX
        } else {
            millis as i64
        }
    }
}

/// How long a finished key is remembered, from its completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// For that long.
    For(Duration),
    /// For ever: the row is never swept.
    Forever,
}

impl Window {
    /// Whole milliseconds, as a signed 64-bit parameter takes them; `None` is for ever.
    #[must_use]
    pub const fn millis(self) -> Option<i64> {
        match self {
            Self::For(duration) => {
                let millis = duration.as_millis();
                if millis > MILLIS_MAX as u128 {
                    Some(MILLIS_MAX)
                } else {
                    Some(millis as i64)
                }
            }
            Self::Forever => None,
        }
    }
}

/// Ten thousand years: beyond it, adding to a database's clock leaves the range of its timestamps.
const MILLIS_MAX: i64 = 10_000 * 365 * 24 * 60 * 60 * 1000;

/// What a caller is told while another attempt works on its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Busy {
    /// That the key is busy, at once.
    Reject,
    /// The other attempt's outcome, if it comes within that time; otherwise that the key is busy.
    Wait(Duration),
}

/// What happens when the store cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outage {
    /// The call is refused and nothing runs.
    Closed,
    /// The handler runs without protection, in a plain transaction; told at error level.
    Open,
}

/// What is kept of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// Its bytes, for replays.
    Full,
    /// That it succeeded, and when.
    Tombstone,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_stops_before_its_lease_does() {
        for millis in [1, 2, 3, 10, 30_000, u64::MAX / 1000] {
            let lease = Lease::from_millis(millis);
            assert!(lease.own_deadline() < lease.duration(), "{millis}");
            assert!(
                lease.heartbeat() < lease.own_deadline() || millis < 3,
                "{millis}"
            );
        }
    }

    #[test]
    fn an_absurd_window_stays_within_what_timestamps_hold() {
        assert_eq!(Window::For(Duration::MAX).millis(), Some(MILLIS_MAX));
        assert_eq!(Window::Forever.millis(), None);
        assert_eq!(Window::For(Duration::from_secs(1)).millis(), Some(1000));
    }
}
