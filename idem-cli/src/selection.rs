//! Which rules speak, and how loudly.

use idem_contract::{Group, Rule, Severity, rules};

use crate::problem::Problem;
use crate::suggest::nearest;

/// What `select` and `ignore` name: every rule, a group of them, or one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selector {
    /// `all`.
    All,
    /// `key`, `claim`, …
    Group(Group),
    /// `clock-in-key`, …
    Rule(&'static Rule),
}

impl Selector {
    /// The selector of that word.
    pub(crate) fn parse(word: &str) -> Result<Self, Problem> {
        if word == "all" {
            return Ok(Self::All);
        }
        let groups = || rules::ALL.iter().map(|rule| rule.group);
        if let Some(group) = groups().find(|group| group.as_str() == word) {
            return Ok(Self::Group(group));
        }
        rule(word).map(Self::Rule).map_err(|problem| {
            match nearest(word, groups().map(Group::as_str)) {
                Some(group) if rules::find(word).is_none() && nearest_rule(word).is_none() => {
                    problem.help(format!("did you mean the group `{group}`?"))
                }
                Some(_) | None => problem,
            }
        })
    }

    fn matches(self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::Group(group) => rule.group == group,
            Self::Rule(one) => rule.id == one.id,
        }
    }
}

fn nearest_rule(word: &str) -> Option<&'static str> {
    nearest(word, rules::ALL.iter().map(|rule| rule.id))
}

/// The rule of that id, or a problem that names the one that was meant.
pub(crate) fn rule(id: &str) -> Result<&'static Rule, Problem> {
    rules::find(id).ok_or_else(|| {
        let problem = Problem::new(format!("there is no rule `{id}`"));
        match nearest_rule(id) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("`idem rules` lists them all"),
        }
    })
}

/// Whether a rule can be neither left out nor lowered: a file that was not understood must never
/// pass for a good one.
pub(crate) fn always_speaks(id: &str) -> bool {
    matches!(
        id,
        "invalid-syntax" | "unreadable-file" | "unsupported-format"
    )
}

/// `select`, `ignore` and `severity` of one place: `[lint]`, one `[[per-file]]`, or the command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Only these; `None` for all.
    pub(crate) select: Option<Vec<Selector>>,
    /// Not these.
    pub(crate) ignore: Vec<Selector>,
    /// Another severity than the rule's own.
    pub(crate) severity: Vec<(&'static Rule, Severity)>,
}

impl Selection {
    /// Whether `rule` speaks here. `select` does not narrow the errors of the format: a rule says
    /// nothing about what could not be read, and that silence would pass for approval.
    pub(crate) fn admits(&self, rule: &Rule) -> bool {
        if always_speaks(rule.id) {
            return true;
        }
        if self.ignore.iter().any(|selector| selector.matches(rule)) {
            return false;
        }
        match &self.select {
            None => true,
            Some(select) => {
                is_about_the_format(rule) || select.iter().any(|selector| selector.matches(rule))
            }
        }
    }

    /// The severity stated here, if any.
    pub(crate) fn severity(&self, rule: &Rule) -> Option<Severity> {
        self.severity
            .iter()
            .rev()
            .find(|(one, _)| one.id == rule.id)
            .map(|(_, severity)| *severity)
    }
}

/// Whether a finding means that something in the file was not understood.
fn is_about_the_format(rule: &Rule) -> bool {
    rule.group == Group::Format && rule.severity == Severity::Error
}
