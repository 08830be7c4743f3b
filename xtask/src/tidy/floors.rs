//! An import never goes up a floor, and the lowest floors know nothing of the world.

use std::path::Path;

use toml::de::DeTable;

use super::Project;

/// What a crate may name in `[dependencies]`. Development dependencies are free.
struct Floor {
    manifest: &'static str,
    /// Crates of this project.
    ours: &'static [&'static str],
    /// Other crates; `None` where any will do.
    others: Option<&'static [&'static str]>,
    /// Other crates that this one must never name, and why.
    never: &'static [(&'static str, &'static str)],
}

const FLOORS: &[Floor] = &[
    Floor {
        manifest: "templates/Cargo.toml",
        ours: &[],
        others: Some(&[]),
        never: &[],
    },
    Floor {
        manifest: "idem-contract/Cargo.toml",
        ours: &[],
        // toml_parser is what toml is made of: it brings nothing new.
        others: Some(&["toml", "toml_parser", "strsim", "sha2", "schemars", "serde"]),
        never: &[],
    },
    Floor {
        manifest: "idem-codegen/Cargo.toml",
        ours: &["idem-contract", "idem-templates"],
        // sha2 and strsim come with idem-contract.
        others: Some(&["proc-macro2", "quote", "syn", "sha2", "strsim"]),
        never: &[],
    },
    Floor {
        manifest: "idem-macros/Cargo.toml",
        ours: &["idem-codegen"],
        others: Some(&["proc-macro2", "quote", "syn"]),
        never: &[],
    },
    Floor {
        manifest: "Cargo.toml",
        ours: &["idem-macros", "idem-templates"],
        others: None,
        never: &[
            (
                "toml",
                "the runtime never reads a contract: the macro lowers it to constants",
            ),
            ("syn", "the runtime never reads Rust"),
        ],
    },
    Floor {
        manifest: "idem-cli/Cargo.toml",
        ours: &["idem-contract", "idem-codegen", "idem-templates", "idem-rs"],
        others: None,
        never: &[],
    },
];

/// The outside world, which floor 0 does not touch: the same bytes give the same findings.
const WORLD: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "SystemTime",
    "Instant::now",
];

/// Dependencies above a crate's floor, and a floor 0 that looks around.
pub(super) fn check(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    for floor in FLOORS {
        let Some(text) = project.text(floor.manifest) else {
            continue;
        };
        match DeTable::parse(text) {
            Ok(manifest) => judge(floor, manifest.get_ref(), &mut out),
            Err(error) => out.push(format!("{}: {error}", floor.manifest)),
        }
    }
    for (path, text) in project.with_extension("rs") {
        if !path.starts_with("idem-contract/src")
            || project.is_test(path)
            || path == Path::new("idem-contract/src/lib.rs")
        {
            continue;
        }
        let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (at, line) in shipped.lines().enumerate() {
            // Between quotes stands a name that is looked for, not one that is used.
            let code: String = line.split('"').step_by(2).collect();
            let code = code.split("//").next().unwrap_or_default();
            for word in WORLD.iter().filter(|word| code.contains(**word)) {
                out.push(format!(
                    "{}:{}: floor 0 names {word}; let the caller look and hand over what it saw",
                    path.display(),
                    at + 1
                ));
            }
        }
    }
    out
}

fn judge(floor: &Floor, manifest: &DeTable<'_>, out: &mut Vec<String>) {
    for table in ["dependencies", "build-dependencies"] {
        let Some(dependencies) = manifest
            .get(table)
            .and_then(|value| value.get_ref().as_table())
        else {
            continue;
        };
        for (name, value) in dependencies.iter() {
            let name: &str = name.get_ref();
            // Nobody compiles it without asking for the feature behind it.
            let is_optional = value
                .get_ref()
                .as_table()
                .and_then(|table| table.get("optional")?.get_ref().as_bool())
                .unwrap_or(false);
            if let Some((_, why)) = floor.never.iter().find(|(never, _)| *never == name) {
                out.push(format!("{}: depends on {name}; {why}", floor.manifest));
            } else if name.starts_with("idem-") && !floor.ours.contains(&name) {
                out.push(format!(
                    "{}: depends on {name}, which is not below it; turn the dependency round or move \
                     the code down",
                    floor.manifest
                ));
            } else if !name.starts_with("idem-")
                && !is_optional
                && floor.others.is_some_and(|others| !others.contains(&name))
            {
                out.push(format!(
                    "{}: depends on {name}, and everybody who uses the attribute would compile it; \
                     do without, or widen the floor in xtask and say why in an ADR",
                    floor.manifest
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::check;

    #[test]
    fn imports_that_go_up_are_found() {
        for (manifest, dependency) in [
            ("Cargo.toml", "idem-contract"),
            ("Cargo.toml", "toml"),
            ("idem-contract/Cargo.toml", "idem-codegen"),
            ("idem-contract/Cargo.toml", "syn"),
            ("idem-codegen/Cargo.toml", "sqlx"),
            ("idem-macros/Cargo.toml", "idem-contract"),
            ("idem-cli/Cargo.toml", "idem-bench"),
        ] {
            let text = format!("[dependencies]\n{dependency}.workspace = true\n");
            assert_eq!(
                check(&Project::of(&[(manifest, &text)])).len(),
                1,
                "{manifest} {dependency}"
            );
            let text = format!("[dev-dependencies]\n{dependency}.workspace = true\n");
            assert!(
                check(&Project::of(&[(manifest, &text)])).is_empty(),
                "{manifest} {dependency}"
            );
        }
    }

    #[test]
    fn an_optional_dependency_weighs_nothing_until_asked_for() {
        let text = "[dependencies]\nprettyplease = { workspace = true, optional = true }\n";
        assert!(check(&Project::of(&[("idem-codegen/Cargo.toml", text)])).is_empty());
        let text = "[dependencies]\nidem-cli = { workspace = true, optional = true }\n";
        assert_eq!(
            check(&Project::of(&[("idem-codegen/Cargo.toml", text)])).len(),
            1
        );
    }

    #[test]
    fn floor_0_does_not_look_around() {
        let text = "//! std::fs is not for us\nfn a() { std::fs::read(\"std::net\"); }\n#[cfg(test)]\nuse std::env;";
        let found = check(&Project::of(&[("idem-contract/src/parse.rs", text)]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("parse.rs:2"));
    }
}
