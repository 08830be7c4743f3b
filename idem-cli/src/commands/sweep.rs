//! `idem sweep`: removes finished rows past their window.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use idem::desk::{Addressee, Desk, Sweeper, Workflows};
use idem::{StoreError, StoreErrorKind};
use idem_contract::Window;

use crate::Exit;
use crate::console::Console;
use crate::discover::Discovery;
use crate::engine::load;
use crate::ops::{
    Place, StoreArgs, open_mysql, open_postgres, open_sqlite, runtime, store_problem,
};
use crate::problem::{Problem, Problems};

/// Rest between two batches: sweeping without any halves the speed of claims meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// How often operations are looked for whose owner died in the middle of an effect.
const LOOK: Duration = Duration::from_secs(5);

/// Removes finished rows past their window, once or for good
///
/// Only rows of finished operations go, in batches of their own transactions, with a short rest between
/// them. It blocks no claim, and several may run at once. Operations whose owner died in the middle of
/// an effect become cases for a person within seconds; the contracts here say whom they concern.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Stop when nothing is left to remove
    #[arg(long, conflicts_with = "every")]
    once: bool,
    /// How long to rest when nothing is left: 500ms, 30s, 1m, 1h
    #[arg(long, value_name = "DURATION", default_value = "1m", value_parser = duration)]
    every: Duration,
    /// How many rows at a time
    #[arg(long, value_name = "ROWS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Without a rest between two batches: faster, and claims are slower meanwhile
    #[arg(long)]
    unpaced: bool,
}

/// A number and a unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err("write a number and a unit: 500ms, 30s, 1m, 1h, 2d".to_owned()),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| format!("`{digits}` is no whole number"))?;
    match number.checked_mul(unit) {
        Some(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
        Some(_) | None => Err("that is no length of time".to_owned()),
    }
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let place = args.store.place(&console.cwd)?;
    let shown = place.shown(&console.cwd);
    runtime()?.block_on(async {
        match &place {
            Place::Sqlite(path) => {
                let store = open_sqlite(path, &shown, false).await?;
                let swept = sweep(&store, &shown, args, console).await;
                store.pool().close().await;
                swept
            }
            Place::Postgres(url) => {
                let store = open_postgres(url, &shown).await?;
                sweep(&store, &shown, args, console).await
            }
            Place::Mysql(url) => {
                let store = open_mysql(url, &shown).await?;
                sweep(&store, &shown, args, console).await
            }
        }
    })
}

async fn sweep<S: Desk>(
    store: &S,
    shown: &str,
    args: &Args,
    console: &mut Console,
) -> Result<Exit, Problems> {
    let what = format!("cannot sweep `{shown}`");
    store
        .check()
        .await
        .map_err(|error| store_problem(&what, &error))?;
    let sweeper = Sweeper::new(store.clone())
        .batch(args.batch)
        .pause(if args.unpaced { Duration::ZERO } else { PAUSE })
        .workflows(declared(console));
    let mut sweep_at = Instant::now();
    loop {
        let due = Instant::now() >= sweep_at;
        match round(&sweeper, due).await {
            Ok((cases, removed)) => {
                if cases > 0 {
                    writeln!(
                        console.out,
                        "{cases} cases for a person: idem ops list --dead"
                    )?;
                }
                if args.once || removed > 0 {
                    writeln!(console.out, "removed {removed} rows")?;
                }
                console.flush()?;
            }
            // A store that is away for a while is no reason to stop for good.
            Err(error) if !args.once && error.kind() != StoreErrorKind::Permanent => {
                console.report(&store_problem(&what, &error).into());
            }
            Err(error) => return Err(store_problem(&what, &error).into()),
        }
        if args.once {
            return Ok(Exit::Fine);
        }
        if due {
            sweep_at = Instant::now() + args.every;
        }
        let rest = LOOK.min(sweep_at.saturating_duration_since(Instant::now()));
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            stopped = tokio::signal::ctrl_c() => {
                return match stopped {
                    Ok(()) => Ok(Exit::Fine),
                    Err(error) => Err(Problem::new("cannot wait for the signal to stop")
                        .why(error.to_string())
                        .into()),
                };
            }
        }
    }
}

/// Finds cases and, when it is time, removes rows; returns how many of each.
async fn round<S: Desk>(sweeper: &Sweeper<S>, due: bool) -> Result<(u64, u64), StoreError> {
    let cases = sweeper.promote().await?;
    if !due {
        return Ok((cases, 0));
    }
    let watched = io::stderr().is_terminal();
    let started = Instant::now();
    let swept = sweeper
        .sweep(|swept| {
            if watched && swept.rows > 0 {
                let seconds = started.elapsed().as_secs_f64().max(0.001);
                let rate = (swept.rows as f64 / seconds).round();
                // Progress that cannot be shown is not missed.
                let _ = write!(
                    io::stderr(),
                    "\r{} rows removed so far, {rate} a second \r",
                    swept.rows
                );
            }
        })
        .await?;
    Ok((cases, swept.rows))
}

/// Whom the cases of each workflow concern, as the contracts here say. What cannot be read is told, and
/// keeps nothing from being swept.
fn declared(console: &mut Console) -> Workflows {
    let (contracts, problems) = match Discovery::new(&console.cwd).find(&[]) {
        Ok(found) => load(found),
        Err(problems) => (Vec::new(), problems),
    };
    console.report(&problems);
    contracts
        .iter()
        .fold(Workflows::new(), |workflows, loaded| {
            let contract = &loaded.contract;
            let Some(name) = contract.workflow.get() else {
                return workflows;
            };
            let letters = &contract.dead_letter;
            let addressee = Addressee {
                owner: letters.owner.get().cloned(),
                channel: letters.channel.get().cloned(),
                deadline: letters.deadline.get().copied(),
                window: match contract.claim.window.get() {
                    Some(Window::For(window)) => Some(*window),
                    Some(Window::Forever) | None => None,
                },
                cleanup: None,
            };
            workflows.of(name, addressee)
        })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::duration;

    #[test]
    fn a_rest_is_a_number_and_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for nonsense in ["", "1", "m", "0s", "1w", "99999999999999999999h", "1.5s"] {
            assert!(duration(nonsense).is_err(), "{nonsense}");
        }
    }
}
