//! The number that tells two owners of one claim apart.

use std::fmt;

/// A number that grows with every change of owner of a key; a write under a lower one is refused.
///
/// Send it along with writes to other systems, so that they can refuse a worker that was taken over.
///
/// **Units and shapes**: counts from 1, and never falls while the row of its key exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fence(u64);

impl Fence {
    /// The fence of a key's first owner.
    pub const FIRST: Self = Self(1);

    /// The highest fence: what a signed 64-bit column holds.
    pub const MAX: Self = Self(i64::MAX.unsigned_abs());

    /// The fence that a store holds; `None` for a number that no store of ours writes.
    #[must_use]
    pub const fn from_stored(number: i64) -> Option<Self> {
        if number >= 1 {
            Some(Self(number.unsigned_abs()))
        } else {
            None
        }
    }

    /// The number, as it is sent to other systems.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number, as a signed 64-bit column takes it.
    #[must_use]
    pub const fn to_stored(self) -> i64 {
        self.0.cast_signed()
    }

    /// The fence of the next owner. The highest fence stays as it is: 2^63 owners do not happen.
    #[must_use]
    pub const fn next(self) -> Self {
        if self.0 < Self::MAX.0 {
            Self(self.0 + 1)
        } else {
            self
        }
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Fence;

    #[test]
    fn every_next_owner_has_a_higher_fence_up_to_the_columns_limit() {
        assert!(Fence::FIRST.next() > Fence::FIRST);
        assert_eq!(Fence::MAX.to_stored(), i64::MAX);
        assert_eq!(Fence::MAX.next(), Fence::MAX);
    }

    #[test]
    fn a_number_below_one_is_no_fence() {
        assert_eq!(Fence::from_stored(0), None);
        assert_eq!(Fence::from_stored(-4), None);
        assert_eq!(Fence::from_stored(1), Some(Fence::FIRST));
    }
}
