//! Nothing names a folder of one person's machine.

use super::Project;

/// Starts of absolute paths that exist on one machine only. Split, so that this file is tidy.
const HOMES: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/tmp", "/wt"),
];

/// Absolute paths of a person's or a builder's machine.
pub(super) fn check(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    for (path, text) in project.all() {
        for (at, line) in text.lines().enumerate() {
            for home in HOMES {
                // A path on a website, or deeper in another path, is not the start of one.
                let starts = line.match_indices(home).any(|(start, _)| {
                    !line[..start].ends_with(|c: char| {
                        c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '~' | '}')
                    })
                });
                if starts {
                    out.push(format!(
                        "{}:{}: names the machine's folder {home}; write a path relative to the project",
                        path.display(),
                        at + 1
                    ));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::{HOMES, check};

    #[test]
    fn a_path_of_one_machine_is_found() {
        let text = format!("a\nsource: {}someone/idem/src/lib.rs\n", HOMES[0]);
        let found = check(&Project::of(&[("tests/a.snap", &text)]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("tests/a.snap:2"));
    }

    #[test]
    fn a_path_on_a_website_is_not() {
        let text = format!("https://example.com{}page", HOMES[0]);
        assert!(check(&Project::of(&[("README.md", &text)])).is_empty());
    }
}
