//! Adds up what the test binaries report.

use std::fmt::{self, Display, Formatter};

/// Tests passed and failed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    passed: u64,
    failed: u64,
}

impl Count {
    /// Adds the numbers of a line such as `test result: ok. 3 passed; 0 failed; …`; any other line
    /// adds nothing.
    pub(super) fn read(&mut self, line: &str) {
        let Some((_, numbers)) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for part in numbers.split("; ") {
            match part.trim().split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }

    /// How many ran.
    pub(super) const fn ran(self) -> u64 {
        self.passed + self.failed
    }

    /// How many failed.
    pub(super) const fn failed(self) -> u64 {
        self.failed
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn the_sum_runs_over_all_binaries() {
        let mut count = Count::default();
        for line in [
            "running 4 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "the words 7 passed; 7 failed inside a test's own output",
        ] {
            count.read(line);
        }
        assert_eq!(count.to_string(), "13 passed, 2 failed");
        assert_eq!(count.ran(), 15);
    }
}
