//! The MariaDB or MySQL server of the tests: a database of its own for each test.

use std::io::Write as _;
use std::str::FromStr as _;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions as _, MySqlPool};

/// A database that nobody else uses.
pub(crate) struct Scratch {
    name: String,
    options: MySqlConnectOptions,
}

/// The server's address; `None` when there is no server, which is said once and by name, and is a
/// failure where services are required.
pub(crate) fn url() -> Option<String> {
    let url = std::env::var("IDEM_TEST_MYSQL_URL").ok();
    if url.is_none() {
        not_run();
    }
    url
}

/// A fresh database; `None` when there is no server.
pub(crate) async fn scratch() -> Option<Scratch> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let url = url()?;
    let options = MySqlConnectOptions::from_str(&url).expect("IDEM_TEST_MYSQL_URL is a URL");
    let name = format!(
        "it_{}_{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    );
    let mut connection = options
        .connect()
        .await
        .expect("the server of IDEM_TEST_MYSQL_URL answers");
    // A character set and a collation that an exact key must not depend on.
    let create = format!("create database {name} character set latin1");
    sqlx::raw_sql(AssertSqlSafe(create))
        .execute(&mut connection)
        .await
        .expect("a database can be made");
    Some(Scratch {
        options: options.database(&name),
        name,
    })
}

impl Scratch {
    /// How to connect to this database.
    pub(crate) fn options(&self) -> MySqlConnectOptions {
        self.options.clone()
    }

    /// Connections to this database.
    pub(crate) async fn pool(&self) -> MySqlPool {
        self.pool_with("").await
    }

    /// The same, each session begun with those statements.
    pub(crate) async fn pool_with(&self, statements: &'static str) -> MySqlPool {
        MySqlPoolOptions::new()
            .max_connections(6)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if !statements.is_empty() {
                        sqlx::raw_sql(statements).execute(connection).await?;
                    }
                    Ok(())
                })
            })
            .connect_with(self.options())
            .await
            .expect("the server of IDEM_TEST_MYSQL_URL answers")
    }

    /// Connections which are lent without asking whether they still live.
    pub(crate) async fn unasked_pool(&self) -> MySqlPool {
        MySqlPoolOptions::new()
            .max_connections(6)
            .test_before_acquire(false)
            .connect_with(self.options())
            .await
            .expect("the server of IDEM_TEST_MYSQL_URL answers")
    }

    /// Drops the database with everything in it.
    pub(crate) async fn drop(self, pool: &MySqlPool) {
        pool.close().await;
        let mut connection = self
            .options
            .connect()
            .await
            .expect("the server of IDEM_TEST_MYSQL_URL answers");
        let drop = format!("drop database {}", self.name);
        sqlx::raw_sql(AssertSqlSafe(drop))
            .execute(&mut connection)
            .await
            .expect("a database can be dropped");
    }
}

fn not_run() {
    static SAID: Once = Once::new();
    let required = std::env::var_os("CI").is_some()
        || std::env::var("IDEM_TEST_REQUIRE_SERVICES").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "not run: MariaDB (IDEM_TEST_MYSQL_URL is not set, and services are required)"
    );
    SAID.call_once(|| {
        // Past the capture of the test harness: a run that left a service out has to show it.
        let _ = std::io::stderr().write_all(
            b"not run: MariaDB (IDEM_TEST_MYSQL_URL is not set; `cargo xtask test` sets it)\n",
        );
    });
}
