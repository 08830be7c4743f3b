//! What a drill found.

use std::error::Error as StdError;
use std::fmt;

use super::kind::Kind;

/// What was expected, and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// When or of what.
    pub what: String,
    /// What the contract promises.
    pub expected: String,
    /// What happened.
    pub seen: String,
    /// Whether that is the same.
    pub passed: bool,
}

/// Where a drill stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every check holds.
    Passed,
    /// A check does not hold, or the drill could not be played to its end.
    Failed,
    /// It was not tried, for that reason.
    NotRun(String),
}

/// One drill's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrillReport {
    /// Which drill.
    pub kind: Kind,
    /// Where it stands.
    pub standing: Standing,
    /// Everything that was looked at.
    pub checks: Vec<Check>,
}

/// Every drill's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// In the order in which they ran.
    pub drills: Vec<DrillReport>,
}

impl DrillReport {
    pub(super) fn of(kind: Kind, checks: Vec<Check>) -> Self {
        let held = !checks.is_empty() && checks.iter().all(|check| check.passed);
        Self {
            kind,
            standing: if held {
                Standing::Passed
            } else {
                Standing::Failed
            },
            checks,
        }
    }

    pub(super) fn not_run(kind: Kind, why_not: impl Into<String>) -> Self {
        Self {
            kind,
            standing: Standing::NotRun(why_not.into()),
            checks: Vec::new(),
        }
    }

    /// A drill that could not be played to its end has failed: what it would have found is unknown.
    pub(super) fn broken(
        kind: Kind,
        mut checks: Vec<Check>,
        trouble: &(dyn StdError + 'static),
    ) -> Self {
        checks.push(Check {
            what: "the drill itself".to_owned(),
            expected: "plays to its end".to_owned(),
            seen: chain(trouble),
            passed: false,
        });
        Self::of(kind, checks)
    }
}

impl Report {
    /// Whether every drill that ran has passed, and at least one ran. A drill that could not run is
    /// in the report by name; it does not fail it.
    #[must_use]
    pub fn passed(&self) -> bool {
        let ran = |drill: &&DrillReport| !matches!(drill.standing, Standing::NotRun(_));
        let mut drills = self.drills.iter().filter(ran).peekable();
        drills.peek().is_some() && drills.all(|drill| drill.standing == Standing::Passed)
    }

    /// The drills that failed.
    #[must_use]
    pub fn failed(&self) -> Vec<Kind> {
        self.drills
            .iter()
            .filter(|drill| drill.standing == Standing::Failed)
            .map(|drill| drill.kind)
            .collect()
    }
}

impl fmt::Display for DrillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.standing {
            Standing::Passed => {
                write!(f, "passed   {:<20} {} checks", self.kind, self.checks.len())
            }
            Standing::NotRun(why) => write!(f, "not run  {:<20} {why}", self.kind),
            Standing::Failed => {
                write!(f, "FAILED   {}", self.kind)?;
                for check in self.checks.iter().filter(|check| !check.passed) {
                    write!(f, "\n         {}", check.what)?;
                    write!(f, "\n           expected: {}", indented(&check.expected))?;
                    write!(f, "\n           seen:     {}", indented(&check.seen))?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for drill in &self.drills {
            writeln!(f, "{drill}")?;
        }
        Ok(())
    }
}

/// A text below its label, cut where the rest would only repeat it.
fn indented(text: &str) -> String {
    const SHOWN: usize = 6;
    let text = text.trim_end();
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = lines[..lines.len().min(SHOWN)].to_vec();
    let more = format!("… and {} more lines", lines.len() - shown.len());
    if lines.len() > SHOWN {
        shown.push(&more);
    }
    if shown.is_empty() {
        shown.push("(nothing)");
    }
    shown.join("\n                     ")
}

/// An error with its causes, in one line.
pub(super) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &str, seen: &str) -> Check {
        Check {
            what: "business tables".to_owned(),
            expected: expected.to_owned(),
            seen: seen.to_owned(),
            passed: expected == seen,
        }
    }

    #[test]
    fn a_failed_drill_shows_what_differs_and_cuts_what_only_repeats() {
        let fifty = vec!["refund r_1"; 50].join("\n");
        let report = Report {
            drills: vec![
                DrillReport::of(Kind::MustDiffer, vec![check("a", "a")]),
                DrillReport::of(Kind::Race, vec![check("", &fifty), check("b", "b")]),
                DrillReport::not_run(Kind::KillMidWork, "there is no child"),
            ],
        };
        let expected = "\
passed   must_differ          1 checks
FAILED   race
         business tables
           expected: (nothing)
           seen:     refund r_1
                     refund r_1
                     refund r_1
                     refund r_1
                     refund r_1
                     refund r_1
                     … and 44 more lines
not run  kill_mid_work        there is no child
";
        assert_eq!(report.to_string(), expected);
        assert!(!report.passed());
    }

    #[test]
    fn nothing_that_ran_is_not_a_pass() {
        let not_run = DrillReport::not_run(Kind::Race, "no");
        let empty = DrillReport::of(Kind::Race, Vec::new());
        for drills in [Vec::new(), vec![not_run], vec![empty]] {
            assert!(!Report { drills }.passed());
        }
    }
}
