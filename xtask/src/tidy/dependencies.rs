//! Every dependency says what it is for, next to its version.

use super::Project;

/// Dependencies of the workspace without a reason, and lists that must agree.
pub(super) fn check(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    let mut section = "";
    let root = project.text("Cargo.toml").unwrap_or_default();
    for (at, line) in root.lines().enumerate() {
        if line.starts_with('[') {
            section = line;
        }
        if section == "[workspace.dependencies]" {
            out.extend(judge(at + 1, line));
        }
    }
    if list(root, "members") != list(root, "default-members") {
        out.push(
            "Cargo.toml: members and default-members differ; a plain `cargo test` would skip a crate"
                .to_owned(),
        );
    }
    out
}

fn judge(at: usize, line: &str) -> Option<String> {
    let (name, rest) = line.split_once('=')?;
    let name = name.trim();
    if name.starts_with('#') {
        return None;
    }
    if name.starts_with("idem-") {
        return (!rest.contains("version = \"=")).then(|| {
            format!("Cargo.toml:{at}: {name} is not pinned with `=`; an expansion and the runtime must be of one version")
        });
    }
    (!rest.contains(" # "))
        .then(|| format!("Cargo.toml:{at}: {name} does not say what it is for; add `# reason`"))
}

/// The quoted words of the list that `name` opens.
fn list<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    text.lines()
        .skip_while(|line| !line.starts_with(&format!("{name} = [")))
        .take_while(|line| *line != "]")
        .filter_map(|line| line.split('"').nth(1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::check;

    #[test]
    fn a_dependency_without_a_reason_is_found() {
        let text = "[workspace.dependencies]\nserde = \"1\"\nsyn = \"3\" # tokens in\n[package]\nname = \"a\"";
        let found = check(&Project::of(&[("Cargo.toml", text)]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(":2: serde"));
    }

    #[test]
    fn a_crate_of_ours_is_pinned() {
        let text = "[workspace.dependencies]\nidem-a = { path = \"a\", version = \"0.1\" }\nidem-b = { path = \"b\", version = \"=0.1.0\" }";
        assert_eq!(check(&Project::of(&[("Cargo.toml", text)])).len(), 1);
    }

    #[test]
    fn a_member_that_plain_cargo_test_skips_is_found() {
        let text = "members = [\n  \"a\",\n  \"b\",\n]\ndefault-members = [\n  \"a\",\n]\n";
        assert_eq!(check(&Project::of(&[("Cargo.toml", text)])).len(), 1);
        assert!(
            check(&Project::of(&[(
                "Cargo.toml",
                &text.replace("  \"b\",\n", "")
            )]))
            .is_empty()
        );
    }
}
