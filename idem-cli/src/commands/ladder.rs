//! `idem ladder`: how good each workflow's key is.

use std::path::PathBuf;

use idem_contract::{Contract, Origin};
use serde::Serialize;

use super::rules::ListFormat;
use crate::Exit;
use crate::console::Console;
use crate::discover::Discovery;
use crate::engine::load;
use crate::problem::{Problem, Problems};

/// Shows each workflow's key, its rung on the key ladder and its weakest part
///
/// Rung 1 is the best: an id that the event's source assigned, equal on each redelivery. A key is as
/// good as its weakest discriminating part; the tenant and the event type do not tell two events apart
/// and have no rung. A part whose value changes between attempts has none either: such a key lies.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Contracts, or folders to walk. Without any: `contracts` of idem.toml, else `contracts/`
    paths: Vec<PathBuf>,
    /// How to write the list
    #[arg(long, value_enum, default_value_t)]
    format: ListFormat,
}

/// What a key's weakest discriminating part is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// A rung of the ladder, 1 the best.
    Rung(u8),
    /// The contract does not say where the part is born.
    Unstated,
    /// The part changes between attempts.
    Lies,
}

impl Standing {
    /// `None` for a part that does not tell two events of one tenant apart.
    fn of(origin: Option<Origin>) -> Option<Self> {
        Some(match origin {
            Some(Origin::SourceId) => Self::Rung(1),
            Some(Origin::BusinessId) => Self::Rung(2),
            Some(Origin::StoredBeforeAttempt) => Self::Rung(3),
            Some(Origin::SourceSequence) => Self::Rung(4),
            Some(Origin::Content) => Self::Rung(6),
            Some(Origin::BrokerPosition) => Self::Rung(7),
            Some(Origin::Authenticated | Origin::EventType | Origin::LogGeneration) => return None,
            Some(
                Origin::Clock
                | Origin::Random
                | Origin::Position
                | Origin::Attempt
                | Origin::Environment,
            ) => Self::Lies,
            None => Self::Unstated,
        })
    }

    const fn rung(self) -> Option<u8> {
        match self {
            Self::Rung(rung) => Some(rung),
            Self::Unstated | Self::Lies => None,
        }
    }

    const fn verdict(self) -> &'static str {
        match self {
            Self::Rung(1..=4) => "holds",
            Self::Rung(_) => "weak",
            Self::Unstated => "unstated",
            Self::Lies => "lies",
        }
    }
}

#[derive(Serialize)]
struct Row {
    workflow: String,
    file: String,
    key: Vec<String>,
    rung: Option<u8>,
    verdict: &'static str,
    weakest: Option<String>,
    origin: Option<&'static str>,
}

impl Row {
    fn of(file: String, contract: &Contract) -> Self {
        let fields = contract.key.fields.get().map_or(&[][..], Vec::as_slice);
        let tenant = contract.key.tenant.get();
        let weakest = fields
            .iter()
            .filter(|name| tenant != Some(&name.value))
            .filter_map(|name| {
                let origin = contract
                    .field(&name.value)
                    .and_then(|field| field.origin.get().copied());
                Some((Standing::of(origin)?, &name.value, origin))
            })
            // Of equals the first one written.
            .reduce(|worst, next| if next.0 > worst.0 { next } else { worst });
        Self {
            workflow: contract
                .workflow
                .get()
                .cloned()
                .unwrap_or_else(|| "?".to_owned()),
            file,
            key: fields.iter().map(|name| name.value.clone()).collect(),
            rung: weakest.and_then(|(standing, ..)| standing.rung()),
            verdict: match weakest {
                Some((standing, ..)) => standing.verdict(),
                None if fields.is_empty() => "no-key",
                None => "scope-only",
            },
            weakest: weakest.map(|(_, name, _)| name.clone()),
            origin: weakest
                .and_then(|(_, _, origin)| origin)
                .map(Origin::as_str),
        }
    }

    fn reason(&self) -> String {
        let part = self.weakest.as_deref().unwrap_or_default();
        match (self.verdict, self.origin) {
            ("no-key", _) => "no key".to_owned(),
            ("scope-only", _) => "nothing in it tells two events apart".to_owned(),
            ("unstated", _) => format!("{part}: no origin stated"),
            ("lies", Some(origin)) => format!("{part}: {origin}, changes between attempts"),
            (_, origin) => format!("{part}: {}", origin.unwrap_or_default()),
        }
    }
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let found = Discovery::new(&console.cwd).find(&args.paths)?;
    let (contracts, problems) = load(found);
    let rows: Vec<_> = contracts
        .into_iter()
        .map(|loaded| Row::of(loaded.target.shown, &loaded.contract))
        .collect();
    match args.format {
        ListFormat::Json => {
            #[derive(Serialize)]
            struct Whole<'a> {
                version: u8,
                workflows: &'a [Row],
            }
            let whole = Whole {
                version: 1,
                workflows: &rows,
            };
            serde_json::to_writer_pretty(&mut console.out, &whole).map_err(std::io::Error::from)?;
            writeln!(console.out)?;
        }
        ListFormat::Human => human(&rows, console)?,
    }
    console.report(&problems);
    Ok(if !problems.is_empty() {
        Exit::CouldNotRun
    } else if rows.is_empty() {
        console.report(&Problem::no_contract("show").into());
        Exit::Nothing
    } else {
        Exit::Fine
    })
}

fn human(rows: &[Row], console: &mut Console) -> Result<(), Problems> {
    let keys: Vec<_> = rows.iter().map(|row| row.key.join(", ")).collect();
    let widest =
        |texts: &mut dyn Iterator<Item = usize>, least| texts.max().unwrap_or(0).max(least);
    let names = widest(&mut rows.iter().map(|row| row.workflow.chars().count()), 8);
    let lists = widest(&mut keys.iter().map(|key| key.chars().count()), 3);
    if !rows.is_empty() {
        writeln!(
            console.out,
            "rung  verdict     {:names$}  {:lists$}  weakest part",
            "workflow", "key",
        )?;
    }
    for (row, key) in rows.iter().zip(&keys) {
        let rung = row
            .rung
            .map_or_else(|| "-".to_owned(), |rung| rung.to_string());
        writeln!(
            console.out,
            "{rung:>4}  {:10}  {:names$}  {key:lists$}  {}",
            row.verdict,
            row.workflow,
            row.reason(),
        )?;
    }
    Ok(())
}
