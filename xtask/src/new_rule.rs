//! `cargo xtask new-rule`: the three places a rule touches.

use std::path::Path;
use std::process::ExitCode;

use crate::problem::{During, Problem, Result};
use crate::workspace;

const LIST: &str = "idem-contract/src/rules.rs";
const MODEL: &str = "idem-contract/src/rule.rs";

/// The new rule.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Kebab-case, naming the pattern and not the cure: `clock-in-key`.
    id: String,
    /// The chapter of the rule list: key, scope, claim, commit, …
    #[arg(long)]
    group: String,
}

/// Writes the rule's file, its `mod` line and its entry in the list.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let root = workspace::root();
    let read = |name: &str| {
        std::fs::read_to_string(root.join(name)).during(format_args!("reading {name}"))
    };
    let list = read(LIST)?;
    let rule = Names::of(&arguments.id, &arguments.group, &read(MODEL)?)?;
    let changed = list_with(&list, &rule)?;
    let file = format!("idem-contract/src/rules/{}.rs", rule.module);
    write_new(&root.join(&file), &page(&rule))?;
    std::fs::write(root.join(LIST), changed).during(format_args!("writing {LIST}"))?;
    println!(
        "{file}: write its page and its check; its Bad and Good are its test. Then {LIST} knows it."
    );
    Ok(ExitCode::SUCCESS)
}

/// One rule in every spelling.
#[derive(Debug)]
struct Names {
    id: String,
    module: String,
    constant: String,
    group: String,
    variant: String,
}

impl Names {
    fn of(id: &str, group: &str, model: &str) -> Result<Self> {
        let is_kebab = !id.is_empty()
            && id.split('-').all(|word| {
                !word.is_empty()
                    && word
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            });
        if !is_kebab {
            return Err(Problem::new(format!(
                "{id} is no rule id: write lower-case words joined by `-`"
            )));
        }
        let known: Vec<&str> = model
            .lines()
            .filter_map(|line| line.trim().strip_prefix("Self::")?.split_once(" => \""))
            .filter_map(|(_, word)| word.strip_suffix("\","))
            .collect();
        if !known.contains(&group) {
            return Err(Problem::new(format!(
                "{group} is no group: write one of {}",
                known.join(", ")
            )));
        }
        let module = id.replace('-', "_");
        let (first, rest) = group.split_at(1);
        Ok(Self {
            id: id.to_owned(),
            constant: module.to_uppercase(),
            module,
            group: group.to_owned(),
            variant: format!("{}{rest}", first.to_uppercase()),
        })
    }
}

/// `list` with the rule's `mod` line among its sisters and its entry in its group, both in the
/// order of the ids.
fn list_with(list: &str, rule: &Names) -> Result<String> {
    let entry = format!("    &{}::{},", rule.module, rule.constant);
    let module = format!("mod {};", rule.module);
    if list.lines().any(|line| line == module) {
        return Err(Problem::new(format!("{} is a rule already", rule.id)));
    }
    let mut lines: Vec<&str> = list.lines().collect();
    let heading = format!("    // {}", rule.group);
    let start = match lines.iter().position(|line| *line == heading) {
        Some(at) => at + 1,
        // A new group goes to the end of the list; the order of groups is for its author to set.
        None => {
            let end = lines.iter().position(|line| *line == "];").ok_or_else(|| {
                Problem::new(format!("{LIST} has no list of rules that ends in `];`"))
            })?;
            lines.insert(end, &heading);
            end + 1
        }
    };
    insert_sorted(&mut lines, start, "    &", &entry);
    let first = lines
        .iter()
        .position(|line| line.starts_with("mod "))
        .ok_or_else(|| {
            Problem::new(format!(
                "{LIST} has no `mod` line to put another one beside"
            ))
        })?;
    insert_sorted(&mut lines, first, "mod ", &module);
    Ok(lines.join("\n") + "\n")
}

/// Puts `line` into the run of lines that begin with `prefix` from `start` on.
fn insert_sorted<'t>(lines: &mut Vec<&'t str>, start: usize, prefix: &str, line: &'t str) {
    let run = lines[start..]
        .iter()
        .take_while(|own| own.starts_with(prefix) && **own < line)
        .count();
    lines.insert(start + run, line);
}

fn page(rule: &Names) -> String {
    include_str!("new_rule.txt")
        .replace("{id}", &rule.id)
        .replace("{module}", &rule.module)
        .replace("{constant}", &rule.constant)
        .replace("{variant}", &rule.variant)
}

fn write_new(path: &Path, text: &str) -> Result<()> {
    if path.exists() {
        return Err(Problem::new(format!(
            "{} exists; nothing is written",
            path.display()
        )));
    }
    std::fs::write(path, text).during(format_args!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Names, list_with, page};

    const MODEL: &str =
        "            Self::Key => \"key\",\n            Self::Claim => \"claim\",\n";
    const LIST: &str = "use a;\n\nmod b_rule;\nmod d_rule;\n\npub static ALL: &[&Rule] = &[\n    // key\n    \
        &b_rule::B_RULE,\n    &d_rule::D_RULE,\n];\n";

    #[test]
    fn a_rule_is_put_in_order_into_both_places() -> Result<(), Box<dyn std::error::Error>> {
        let rule = Names::of("c-rule", "key", MODEL)?;
        let list = list_with(LIST, &rule)?;
        assert!(
            list.contains("mod b_rule;\nmod c_rule;\nmod d_rule;\n"),
            "{list}"
        );
        assert!(
            list.contains("    &b_rule::B_RULE,\n    &c_rule::C_RULE,\n    &d_rule::D_RULE,\n"),
            "{list}"
        );
        assert!(
            list_with(&list, &rule).is_err(),
            "a second time it is there already"
        );
        Ok(())
    }

    #[test]
    fn the_first_rule_of_a_group_opens_it() -> Result<(), Box<dyn std::error::Error>> {
        let list = list_with(LIST, &Names::of("a-rule", "claim", MODEL)?)?;
        assert!(
            list.contains("    &d_rule::D_RULE,\n    // claim\n    &a_rule::A_RULE,\n];"),
            "{list}"
        );
        Ok(())
    }

    #[test]
    fn a_name_that_is_none_is_refused_with_what_to_write() {
        for (id, group, word) in [
            ("Clock", "key", "lower-case"),
            ("a--b", "key", "lower-case"),
            ("a", "keys", "claim"),
        ] {
            let said = Names::of(id, group, MODEL)
                .map_or_else(|problem| problem.to_string(), |_| String::new());
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn a_page_leaves_no_hole_unfilled() -> Result<(), Box<dyn std::error::Error>> {
        let page = page(&Names::of("c-rule", "claim", MODEL)?);
        assert!(page.starts_with("//! # c-rule\n"));
        assert!(
            page.contains("Group::Claim")
                && page.contains("static C_RULE")
                && page.contains("\"c_rule.rs\"")
        );
        assert!(!page.contains("{id}"));
        Ok(())
    }
}
