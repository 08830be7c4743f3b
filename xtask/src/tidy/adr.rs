//! Decisions are numbered without gaps, and each says the same things in the same order.

use std::path::Path;

use super::Project;

/// The headings of a decision.
const HEADINGS: [&str; 4] = [
    "## Context",
    "## Decision",
    "## Consequences",
    "## Alternatives",
];
/// One page, in lines.
const PAGE: usize = 80;

/// Decisions that are out of form.
pub(super) fn check(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    let mut expected = 1_u32;
    for (path, text) in project.with_extension("md") {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy())
            .unwrap_or_default();
        if path.parent() != Some(Path::new("docs/adr")) || name == "template.md" {
            continue;
        }
        let number = name
            .split('-')
            .next()
            .filter(|digits| digits.len() == 4)
            .and_then(|digits| digits.parse().ok());
        if number != Some(expected) {
            out.push(format!(
                "{}: expected the number {expected:04}: decisions count up without gaps or twins",
                path.display()
            ));
        }
        expected = number.unwrap_or(expected) + 1;
        let headings: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        if headings != HEADINGS {
            out.push(format!(
                "{}: its headings are not those of docs/adr/template.md",
                path.display()
            ));
        }
        let lines = text.lines().count();
        if lines > PAGE {
            out.push(format!(
                "{}: {lines} lines; a decision fits on a page of {PAGE}",
                path.display()
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::{HEADINGS, check};

    #[test]
    fn gaps_twins_and_missing_headings_are_found() {
        let good = HEADINGS.join("\n");
        let of = |names: &[&str]| {
            let files: Vec<(&str, &str)> =
                names.iter().map(|name| (*name, good.as_str())).collect();
            check(&Project::of(&files)).len()
        };
        assert_eq!(
            of(&[
                "docs/adr/0001-a.md",
                "docs/adr/0002-b.md",
                "docs/adr/template.md"
            ]),
            0
        );
        assert_eq!(
            of(&["docs/adr/0001-a.md", "docs/adr/0003-b.md"]),
            1,
            "a gap"
        );
        assert_eq!(
            of(&["docs/adr/0001-a.md", "docs/adr/0001-b.md"]),
            1,
            "a twin"
        );
        assert_eq!(of(&["docs/adr/notes.md"]), 1, "no number");
        assert_eq!(
            check(&Project::of(&[("docs/adr/0001-a.md", "# A\n## Context\n")])).len(),
            1
        );
    }
}
