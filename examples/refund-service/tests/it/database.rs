//! An empty database for each test, in each of the two kinds.

use std::io::Write as _;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;

/// An empty database.
pub(crate) struct Database {
    pub(crate) url: String,
    kind: Kind,
}

enum Kind {
    /// The folder goes with it.
    Sqlite {
        _folder: TempDir,
    },
    Postgres {
        server: String,
        schema: String,
    },
}

/// SQLite always; Postgres where there is a server. A server that is missing is said by name, and is
/// a failure where services are required.
pub(crate) fn each() -> Vec<Database> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut all = vec![Database {
        url: format!("sqlite://{}", folder.path().join("refunds.db").display()),
        kind: Kind::Sqlite { _folder: folder },
    }];
    match std::env::var("IDEM_TEST_POSTGRES_URL") {
        Ok(server) => all.push(schema(server)),
        Err(_) => not_run(),
    }
    all
}

fn not_run() {
    static SAID: Once = Once::new();
    let required = std::env::var("IDEM_TEST_REQUIRE_SERVICES").is_ok_and(|value| value == "1");
    assert!(
        !required && std::env::var_os("CI").is_none(),
        "not run: Postgres (IDEM_TEST_POSTGRES_URL is not set, and services are required)"
    );
    SAID.call_once(|| {
        // Past the capture of the test harness: a run that left a service out has to show it.
        let _ = std::io::stderr().write_all(
            b"not run: Postgres (IDEM_TEST_POSTGRES_URL is not set; `cargo xtask test` sets it)\n",
        );
    });
}

fn schema(server: String) -> Database {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let schema = format!("refunds_{}_{number}", std::process::id());
    run(&server, format!("create schema {schema}"));
    let joint = if server.contains('?') { '&' } else { '?' };
    Database {
        url: format!("{server}{joint}options[search_path]={schema}"),
        kind: Kind::Postgres { server, schema },
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Kind::Postgres { server, schema } = &self.kind {
            run(server, format!("drop schema {schema} cascade"));
        }
    }
}

fn run(server: &str, statement: String) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut connection = PgConnection::connect(server)
            .await
            .expect("the server answers");
        let done = sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await;
        done.expect("the statement runs");
        connection.close().await.expect("the connection ends");
    });
}
