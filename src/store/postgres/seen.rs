//! Which keys this process has seen a row of, as far as it remembers.

use std::sync::atomic::{AtomicI64, Ordering};

use sha2::{Digest, Sha256};

use crate::Key;

/// The number of a key's advisory lock: 64 bits, because 32 collide among some hundred thousand
/// keys. Two keys of one number may only ever be told that they are busy.
pub(super) fn lock_of(key: &Key) -> i64 {
    part_of_digest(key, 0)
}

/// The number of the lock that `claim.sql` takes on a key while it decides, of the next eight bytes.
pub(super) fn claim_lock_of(key: &Key) -> i64 {
    part_of_digest(key, 8)
}

fn part_of_digest(key: &Key, from: usize) -> i64 {
    let digest: [u8; 32] = Sha256::digest(key.as_str()).into();
    let mut part = [0; 8];
    part.copy_from_slice(&digest[from..from + 8]);
    i64::from_be_bytes(part)
}

/// How many keys are remembered: 64 KiB. A replay mostly follows its first attempt closely, or goes to
/// another process, which no memory of ours helps.
const PLACES: usize = 8192;

/// The numbers of keys whose row was seen. It is only about speed: one that is forgotten, or is another
/// key's, costs a round trip.
pub(super) struct Seen(Box<[AtomicI64]>);

impl Seen {
    pub(super) fn new() -> Self {
        Self((0..PLACES).map(|_| AtomicI64::new(0)).collect())
    }

    pub(super) fn add(&self, number: i64) {
        self.place(number).store(number, Ordering::Relaxed);
    }

    pub(super) fn has(&self, number: i64) -> bool {
        self.place(number).load(Ordering::Relaxed) == number
    }

    /// Each number has one place, and the last one to come has it.
    fn place(&self, number: i64) -> &AtomicI64 {
        let at = number.unsigned_abs() % PLACES as u64;
        &self.0[at as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_of_a_place_is_remembered() {
        let seen = Seen::new();
        for number in [7, -9, i64::MIN, i64::MAX] {
            assert!(!seen.has(number));
            seen.add(number);
            assert!(seen.has(number));
        }
        let other = 7 + PLACES as i64;
        assert!(!seen.has(other));
        seen.add(other);
        assert!(seen.has(other) && !seen.has(7));
    }
}
