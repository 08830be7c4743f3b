//! Checks that run the project itself, as the README tells people to run it.

use super::Project;
use super::prose::{Named, documents};
use crate::child::{self, Interrupt};
use crate::problem::{Problem, Result};
use crate::{codegen, workspace};

/// The committed JSON Schema, which editors find through the first line of a contract.
const SCHEMA: &str = "contracts/contract.schema.json";

/// What the command line answers.
struct Answer {
    well: bool,
    text: String,
}

/// Generated files that are old, contracts that are not clean, commands that do not exist.
pub(super) fn check(project: &Project, interrupt: &Interrupt) -> Result<Vec<String>> {
    let mut out = Vec::new();
    out.extend(codegen::run(true).err());
    for (words, wrong) in [
        (
            ["lint", "--strict", "contracts"].as_slice(),
            "the worked contracts are not clean",
        ),
        (
            &["lock", "--check"],
            "contracts/idem.lock is not current; run `idem lock`",
        ),
    ] {
        let answer = idem(words, interrupt)?;
        if !answer.well {
            out.push(format!("{wrong}:\n{}", answer.text.trim_end()));
        }
    }
    let schema = idem(&["schema"], interrupt)?;
    if !schema.well || project.text(SCHEMA) != Some(schema.text.as_str()) {
        out.push(format!(
            "{SCHEMA} is not what `idem schema` prints; write it anew"
        ));
    }
    let help = idem(&["--help"], interrupt)?.text;
    let known = commands(&help);
    for (path, at, named) in documents(project) {
        if let Named::Command(word) = named
            && !known.contains(&word)
        {
            out.push(format!(
                "{}:{at}: names `idem {word}`, which `idem --help` does not know",
                path.display()
            ));
        }
    }
    Ok(out)
}

fn idem(words: &[&str], interrupt: &Interrupt) -> Result<Answer> {
    let mut cargo = workspace::cargo();
    cargo
        .args(["run", "--quiet", "--package", "idem-cli", "--"])
        .args(words);
    let mut text = String::new();
    let status = child::run(cargo, interrupt, |line| {
        text.push_str(line);
        text.push('\n');
    })?;
    if interrupt.is_raised() {
        return Err(Problem::new("interrupted"));
    }
    Ok(Answer {
        well: status.success(),
        text,
    })
}

/// The words below `Commands:` in a help text.
fn commands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn the_commands_are_read_from_the_help() {
        let help = "Text\n\nUsage: idem <COMMAND>\n\nCommands:\n  lint  Lints\n  new   Asks\n\nOptions:\n  -h\n";
        assert_eq!(commands(help), ["lint", "new"]);
    }
}
