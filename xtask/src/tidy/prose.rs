//! What the documents name exists: paths, links, chores, packages.

use std::path::{Component, Path, PathBuf};

use super::Project;

/// A word of a document that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named<'t> {
    /// The target of a link.
    Link(&'t str),
    /// A word in backquotes.
    Code(&'t str),
    /// A chore: `cargo xtask <word>`.
    Chore(&'t str),
    /// A package: `-p <word>`.
    Package(&'t str),
    /// A command of the `idem` binary.
    Command(&'t str),
}

/// Names in documents that lead nowhere.
pub(super) fn check(project: &Project) -> Vec<String> {
    let chores = crate::chores();
    let packages = packages(project);
    let mut out = Vec::new();
    for (path, at, named) in documents(project) {
        let wrong = match named {
            Named::Link(target) => (!resolves(project, path, target))
                .then(|| format!("links to {target}, which does not exist")),
            Named::Code(word) => (names_our_path(project, word)
                && !project.has(Path::new(word.trim_end_matches('/'))))
            .then(|| format!("names {word}, which does not exist")),
            Named::Chore(word) => (!chores.iter().any(|chore| chore == word)).then(|| {
                format!("names the chore {word}, which `cargo xtask --help` does not know")
            }),
            Named::Package(word) => (!packages.contains(&word))
                .then(|| format!("names the package {word}, which is no member of the workspace")),
            // Known to the binary alone: see `live`.
            Named::Command(_) => None,
        };
        out.extend(wrong.map(|wrong| format!("{}:{at}: {wrong}", path.display())));
    }
    out
}

/// Every checked word of the documents: file, line from 1, word.
pub(super) fn documents(project: &Project) -> impl Iterator<Item = (&Path, usize, Named<'_>)> {
    let markdown = project
        .with_extension("md")
        // The log of changes names what is gone.
        .filter(|(path, _)| *path != Path::new("CHANGELOG.md"))
        .flat_map(|(path, text)| {
            named(text)
                .into_iter()
                .map(move |(at, named)| (path, at, named))
        });
    let hooks = project.with_extension("yaml").flat_map(|(path, text)| {
        entries(text)
            .into_iter()
            .map(move |(at, named)| (path, at, named))
    });
    markdown.chain(hooks)
}

/// The commands of pre-commit hooks: `entry: idem lint`.
fn entries(text: &str) -> Vec<(usize, Named<'_>)> {
    let mut out = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if let Some(entry) = line.trim_start().strip_prefix("entry: ") {
            commands(entry, &mut |named| out.push((at + 1, named)));
        }
    }
    out
}

fn named(text: &str) -> Vec<(usize, Named<'_>)> {
    let mut out = Vec::new();
    let mut fence: Option<&str> = None;
    for (at, line) in text.lines().enumerate() {
        let mut add = |named| out.push((at + 1, named));
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() {
                None
            } else {
                Some(language)
            };
        } else if let Some(language) = fence {
            if matches!(language.split(',').next(), Some("sh" | "console" | "bash")) {
                commands(line.trim_start().trim_start_matches("$ "), &mut add);
            }
        } else {
            for (start, _) in line.match_indices("](") {
                if let Some((target, _)) = line[start + 2..].split_once(')') {
                    add(Named::Link(target));
                }
            }
            for span in line.split('`').skip(1).step_by(2) {
                if span.contains(' ') {
                    commands(span, &mut add);
                } else {
                    add(Named::Code(span));
                }
            }
        }
    }
    out
}

fn commands<'t>(line: &'t str, add: &mut impl FnMut(Named<'t>)) {
    let words: Vec<&str> = line
        .split_whitespace()
        .take_while(|word| !word.starts_with('#'))
        .collect();
    let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    for (at, pair) in words.windows(2).enumerate() {
        match pair {
            ["xtask", word] if is_word(word) => add(Named::Chore(word)),
            ["-p" | "--package", word] if is_word(word) && words.first() == Some(&"cargo") => {
                add(Named::Package(word));
            }
            ["idem", word] if at == 0 && is_word(word) => add(Named::Command(word)),
            ["--", word] if words.contains(&"idem-cli") && is_word(word) => {
                add(Named::Command(word))
            }
            _ => {}
        }
    }
}

/// Whether `word` reads as a path below one of the project's own folders.
fn names_our_path(project: &Project, word: &str) -> bool {
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    let Some((folder, rest)) = word.split_once('/') else {
        return false;
    };
    let known = !folder.is_empty()
        && !folder.starts_with("..")
        && folder != "target"
        && project.has(Path::new(folder));
    // `contracts/` alone may be the reader's own folder, and exists here too.
    plain && known && !rest.is_empty()
}

fn resolves(project: &Project, from: &Path, target: &str) -> bool {
    let target = target.split('#').next().unwrap_or_default();
    if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let mut path = from.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(part) => path.push(part),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path == PathBuf::new() || project.has(&path)
}

fn packages(project: &Project) -> Vec<&str> {
    project
        .all()
        .filter(|(path, _)| path.file_name().is_some_and(|name| name == "Cargo.toml"))
        .filter_map(|(_, text)| {
            text.split("[package]")
                .nth(1)?
                .split("name = \"")
                .nth(1)?
                .split('"')
                .next()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::{Named, check, documents};

    fn findings(text: &str) -> Vec<String> {
        check(&Project::of(&[
            ("docs/a.md", text),
            ("src/lib.rs", ""),
            ("idem-cli/Cargo.toml", "[package]\nname = \"idem-cli\"\n"),
        ]))
    }

    #[test]
    fn the_commands_of_hooks_are_read() {
        let project = Project::of(&[("hooks.yaml", "- id: a\n  entry: idem lint --strict\n")]);
        let found: Vec<_> = documents(&project)
            .map(|(_, at, named)| (at, named))
            .collect();
        assert_eq!(found, [(2, Named::Command("lint"))]);
    }

    #[test]
    fn what_exists_may_be_named() {
        let text = "[a](../src/lib.rs) [b](https://example.com/x) [c](#here) `src/lib.rs` `other/file.rs`\n\
            `cargo xtask test` `src/<name>.rs`\n\
            ```sh\ncargo run -p idem-cli -- lint\nmkdir -p src/none\n```\n```rust\ncargo xtask nonsense\n```\n";
        assert_eq!(findings(text), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_exist_is_found_where_it_stands() {
        for (text, line) in [
            ("\n[a](../src/gone.rs)", ":2:"),
            ("see `src/gone.rs`", ":1:"),
            ("run `cargo xtask gone`", ":1:"),
            ("```sh\n$ cargo test -p gone\n```", ":2:"),
        ] {
            let found = findings(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(
                found[0].contains(line) && found[0].contains("gone"),
                "{found:?}"
            );
        }
    }
}
