//! Every rule, once. A rule is one file, one `mod` line and one entry in [`ALL`].
//!
//! A rule's file is its id with underscores, its static is the same in capitals, and its `//!`
//! lines are its page: headings `# id`, one summary line, then `## What it does`,
//! `## Why it hurts`, `## Bad`, `## Good`, `## Source`. Bad and Good in a `toml` fence are executed
//! (see `examples`); an example in another language stands in an `rs` or `text` fence.

use crate::Rule;

mod missing_lease;

/// Every rule, in the order of the groups of the rule list, by id inside a group.
pub static ALL: &[&Rule] = &[
    // claim
    &missing_lease::MISSING_LEASE,
];

/// The rule of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// The rule's page as Markdown, ending in one line break.
#[must_use]
pub fn page(rule: &Rule) -> String {
    let mut page = String::new();
    for line in page_lines(rule.source) {
        page.push_str(line);
        page.push('\n');
    }
    page
}

fn page_lines(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
}

impl Rule {
    /// One line: what the rule catches.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        page_lines(self.source)
            .skip(1)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
    }
}
