//! `idem sweep`: removes finished rows past their window.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use idem::{Store, StoreError, StoreErrorKind};

use crate::Exit;
use crate::console::Console;
use crate::ops::{Place, StoreArgs, open_postgres, open_sqlite, runtime, store_problem};
use crate::problem::{Problem, Problems};

/// Rest between two batches: sweeping without any halves the speed of claims meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// Removes finished rows past their window, once or for good
///
/// Only rows of finished operations go, in batches of their own transactions, with a short rest between
/// them. It blocks no claim, and several may run at once.
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
}

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("write a number and a unit: 500ms, 30s, 1m, 1h".to_owned()),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| format!("`{digits}` is no whole number"))?;
    match number.checked_mul(unit) {
        Some(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
        Some(_) | None => Err("that is no time to rest".to_owned()),
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
        }
    })
}

async fn sweep<S: Store>(
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
    loop {
        match round(store, args.batch).await {
            Ok(removed) => {
                if args.once || removed > 0 {
                    writeln!(console.out, "removed {removed} rows")?;
                    console.flush()?;
                }
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
        tokio::select! {
            () = tokio::time::sleep(args.every) => {}
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

/// Removes what there is to remove, and returns how many rows that was.
async fn round<S: Store>(store: &S, batch: u32) -> Result<u64, StoreError> {
    let mut removed = 0;
    let watched = io::stderr().is_terminal();
    loop {
        let batch_removed = store.sweep(batch).await?;
        removed += batch_removed;
        if watched && batch_removed > 0 {
            // Progress that cannot be shown is not missed.
            let _ = write!(io::stderr(), "\r{removed} rows removed so far\r");
        }
        if batch_removed < u64::from(batch) {
            return Ok(removed);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::duration;

    #[test]
    fn a_rest_is_a_number_and_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for nonsense in ["", "1", "m", "0s", "1d", "99999999999999999999h", "1.5s"] {
            assert!(duration(nonsense).is_err(), "{nonsense}");
        }
    }
}
