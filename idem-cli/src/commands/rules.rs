//! `idem rules`: the list.

use idem_contract::{Group, Place, Rule, rules};
use serde::Serialize;

use crate::Exit;
use crate::console::Console;
use crate::problem::Problems;

/// Lists every rule
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to write the list
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
}

/// How lists are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ListFormat {
    /// For reading
    #[default]
    Human,
    /// For programs
    Json,
}

#[derive(Serialize)]
struct Entry {
    rule: &'static str,
    group: &'static str,
    severity: &'static str,
    #[serde(rename = "where")]
    places: String,
    summary: &'static str,
    since: &'static str,
}

impl Entry {
    fn of(rule: &'static Rule) -> Self {
        Self {
            rule: rule.id,
            group: rule.group.as_str(),
            severity: rule.severity.as_str(),
            places: letters(rule.places),
            summary: rule.summary(),
            since: rule.since,
        }
    }
}

fn letters(places: &[Place]) -> String {
    let letters: Vec<_> = places
        .iter()
        .map(|place| place.letter().to_string())
        .collect();
    letters.join(" ")
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    match args.format {
        ListFormat::Json => {
            let list: Vec<_> = rules::ALL.iter().map(|rule| Entry::of(rule)).collect();
            serde_json::to_writer_pretty(&mut console.out, &list).map_err(std::io::Error::from)?;
            writeln!(console.out)?;
        }
        ListFormat::Human => human(console)?,
    }
    Ok(Exit::Fine)
}

fn human(console: &mut Console) -> Result<(), Problems> {
    let width = rules::ALL
        .iter()
        .map(|rule| rule.id.len())
        .max()
        .unwrap_or(0);
    let mut group: Option<Group> = None;
    for rule in rules::ALL {
        if group != Some(rule.group) {
            let gap = if group.is_some() { "\n" } else { "" };
            writeln!(console.out, "{gap}{}", rule.group.as_str())?;
            group = Some(rule.group);
        }
        writeln!(
            console.out,
            "  {:width$}  {:5}  {:3}  {}",
            rule.id,
            rule.severity.as_str(),
            letters(rule.places).replace(' ', ""),
            rule.summary(),
        )?;
    }
    writeln!(
        console.out,
        "\nT contract, A attribute, R Rust source, Q SQL, L lockfile. `idem explain <rule>` shows a rule's page."
    )?;
    Ok(())
}
