//! The service: settings from the environment, books, routes, and an end in order.
//!
//! | variable | meaning | without it |
//! | --- | --- | --- |
//! | `DATABASE_URL` | `sqlite://<path>` or `postgres://…` | `sqlite://refunds.db` |
//! | `REFUND_ADDR` | where to listen | `127.0.0.1:8080` |
//! | `REFUND_TOKENS` | `token=tenant`, separated by commas | `acme-token=acme,globex-token=globex` |
//! | `REFUND_PAUSE_MS` | stands still so long in the middle of each refund | 0 |

use std::env;
use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use refund_service::books::Books;
use refund_service::http::{Service, routes};
use refund_service::refund::Pace;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = format!("refund-service: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                let said = error.to_string();
                // A driver's error may repeat its own cause.
                if !text.contains(&said) {
                    text = format!("{text}: {said}");
                }
                cause = error.source();
            }
            // Nobody is left to tell that it cannot be told.
            let _ = writeln!(std::io::stderr(), "{text}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let setting =
        |name: &str, otherwise: &str| env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let books = Books::open(&setting("DATABASE_URL", "sqlite://refunds.db")).await?;
    let tokens = tokens(&setting(
        "REFUND_TOKENS",
        "acme-token=acme,globex-token=globex",
    ))?;
    let pause = setting("REFUND_PAUSE_MS", "0")
        .parse()
        .map_err(|error| format!("REFUND_PAUSE_MS: {error}"))?;
    let service = Service {
        books: books.clone(),
        tokens: tokens.into(),
        pace: Pace {
            pause: Duration::from_millis(pause),
        },
    };
    let address = setting("REFUND_ADDR", "127.0.0.1:8080");
    let listener = TcpListener::bind(&address)
        .await
        .map_err(|error| format!("cannot listen on {address} (REFUND_ADDR says where): {error}"))?;
    writeln!(
        std::io::stdout(),
        "listening on http://{}",
        listener.local_addr()?
    )?;
    axum::serve(listener, routes(service))
        .with_graceful_shutdown(interrupted())
        .await?;
    books.close().await;
    Ok(())
}

/// `acme-token=acme,globex-token=globex`, as pairs.
fn tokens(text: &str) -> Result<Vec<(String, String)>, String> {
    text.split(',')
        .map(|pair| match pair.split_once('=') {
            Some((token, tenant)) if !token.is_empty() && !tenant.is_empty() => {
                Ok((token.to_owned(), tenant.to_owned()))
            }
            _ => Err(format!("REFUND_TOKENS: `{pair}` is not `token=tenant`")),
        })
        .collect()
}

async fn interrupted() {
    // Without a handler for the signal the process simply runs until it is killed.
    let _ = tokio::signal::ctrl_c().await;
}
