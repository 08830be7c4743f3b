//! What went wrong in a chore, as one sentence for the person who ran it.

use std::fmt::{self, Display, Formatter};

/// A sentence that says what could not be done and why.
#[derive(Debug)]
pub(crate) struct Problem(String);

/// What every chore returns.
pub(crate) type Result<T> = std::result::Result<T, Problem>;

impl Problem {
    /// A problem in the words of `sentence`.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

/// Puts "what we were doing" in front of "what the system answered".
pub(crate) trait During<T> {
    /// Names the step that failed.
    fn during(self, doing: impl Display) -> Result<T>;
}

impl<T, E: Display> During<T> for std::result::Result<T, E> {
    fn during(self, doing: impl Display) -> Result<T> {
        self.map_err(|error| Problem(format!("{doing}: {error}")))
    }
}
