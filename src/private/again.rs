//! How often, and after which pause, a transaction that lost is run again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// How often one claim runs its transaction again after losing against a concurrent one. Five
/// rounds of doubling pauses outlast any honest contention; more of it is a livelock to be seen.
pub(super) const MAX_CONFLICTS: u32 = 5;

/// 2 ms, doubled for each round, times something between a half and one and a half.
pub(super) fn jittered(round: u32) -> Duration {
    let base = Duration::from_millis(2) * 2_u32.saturating_pow(round.saturating_sub(1).min(8));
    let random = RandomState::new().build_hasher().finish();
    base / 2 + base.mul_f64((random % 1024) as f64 / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_stay_bounded() {
        for round in 1..=MAX_CONFLICTS {
            let pause = jittered(round);
            assert!(pause >= Duration::from_millis(1));
            assert!(pause < Duration::from_millis(64));
        }
    }
}
