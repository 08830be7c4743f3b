//! What driver and workers say to each other: one line each way.

use std::fmt;

/// Which workflow a delivery is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    LongFused,
    LongLeased,
    BriefFused,
    BriefLeased,
}

impl Flow {
    pub(crate) const ALL: [Self; 4] = [
        Self::LongFused,
        Self::LongLeased,
        Self::BriefFused,
        Self::BriefLeased,
    ];

    /// Whether its window is over while the soak runs.
    pub(crate) const fn is_brief(self) -> bool {
        matches!(self, Self::BriefFused | Self::BriefLeased)
    }
}

/// One delivery of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) number: u64,
    pub(crate) operation: i64,
    pub(crate) flow: Flow,
    pub(crate) pause_ms: u64,
    pub(crate) fails: bool,
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {} {}",
            self.number,
            self.operation,
            self.flow as u8,
            self.pause_ms,
            u8::from(self.fails)
        )
    }
}

impl Delivery {
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut next = || words.next()?.parse::<u64>().ok();
        Some(Self {
            number: next()?,
            operation: i64::try_from(next()?).ok()?,
            flow: *Flow::ALL.get(usize::try_from(next()?).ok()?)?,
            pause_ms: next()?,
            fails: next()? == 1,
        })
    }
}

/// What a caller was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Fresh {
        row: i64,
        attempt: u32,
    },
    Replay {
        row: i64,
    },
    Busy,
    Failed,
    Fenced,
    Unavailable(String),
    /// What nobody should be told in this soak.
    Wrong(String),
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fresh { row, attempt } => write!(f, "fresh {row} {attempt}"),
            Self::Replay { row } => write!(f, "replay {row}"),
            Self::Busy => f.write_str("busy"),
            Self::Failed => f.write_str("failed"),
            Self::Fenced => f.write_str("fenced"),
            Self::Unavailable(why) => write!(f, "unavailable {}", why.replace('\n', " ")),
            Self::Wrong(what) => write!(f, "wrong {}", what.replace('\n', " ")),
        }
    }
}

impl Told {
    /// From a line: the delivery's number, and what its caller was told.
    pub(crate) fn read(line: &str) -> Option<(u64, Self)> {
        let (number, rest) = line.split_once(' ')?;
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let told = match word {
            "fresh" => {
                let (row, attempt) = rest.split_once(' ')?;
                Self::Fresh {
                    row: row.parse().ok()?,
                    attempt: attempt.parse().ok()?,
                }
            }
            "replay" => Self::Replay {
                row: rest.parse().ok()?,
            },
            "busy" => Self::Busy,
            "failed" => Self::Failed,
            "fenced" => Self::Fenced,
            "unavailable" => Self::Unavailable(rest.to_owned()),
            "wrong" => Self::Wrong(rest.to_owned()),
            _ => return None,
        };
        Some((number.parse().ok()?, told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_same_on_both_sides() {
        let delivery = Delivery {
            number: 7,
            operation: 3,
            flow: Flow::BriefLeased,
            pause_ms: 4,
            fails: true,
        };
        assert_eq!(Delivery::read(&delivery.to_string()), Some(delivery));
        for told in [
            Told::Fresh { row: 5, attempt: 2 },
            Told::Replay { row: 5 },
            Told::Busy,
            Told::Failed,
            Told::Fenced,
            Told::Unavailable("no answer".to_owned()),
            Told::Wrong("a mismatch".to_owned()),
        ] {
            assert_eq!(Told::read(&format!("7 {told}")), Some((7, told)));
        }
        // A process that is killed in the middle of a line says nothing.
        assert_eq!(Told::read("7 fresh 5"), None);
    }
}
