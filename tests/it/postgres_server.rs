//! The Postgres server of the tests: a schema of its own for each test.

use std::io::Write as _;
use std::str::FromStr as _;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgPool};

/// A schema that nobody else uses.
pub(crate) struct Schema {
    name: String,
    options: PgConnectOptions,
}

/// The server's address; `None` when there is no server, which is said once and by name, and is a
/// failure where services are required.
pub(crate) fn url() -> Option<String> {
    let url = std::env::var("IDEM_TEST_POSTGRES_URL").ok();
    if url.is_none() {
        not_run();
    }
    url
}

/// A fresh schema; `None` when there is no server.
pub(crate) async fn schema() -> Option<Schema> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let url = url()?;
    let options = PgConnectOptions::from_str(&url).expect("IDEM_TEST_POSTGRES_URL is a URL");
    let name = format!(
        "it_{}_{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    );
    let schema = Schema {
        options: options.clone().options([("search_path", name.as_str())]),
        name,
    };
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await
        .expect("the server of IDEM_TEST_POSTGRES_URL answers");
    let create = format!("create schema {}", schema.name);
    sqlx::raw_sql(AssertSqlSafe(create))
        .execute(&pool)
        .await
        .expect("a schema can be made");
    pool.close().await;
    Some(schema)
}

impl Schema {
    /// Connections that see this schema alone.
    pub(crate) async fn pool(&self) -> PgPool {
        self.pool_with("application_name", &self.name).await
    }

    /// The same, not asked whether they live before they are used.
    pub(crate) async fn unpinged_pool(&self) -> PgPool {
        PgPoolOptions::new()
            .max_connections(6)
            .test_before_acquire(false)
            .connect_with(self.options().application_name(&self.name))
            .await
            .expect("the server of IDEM_TEST_POSTGRES_URL answers")
    }

    /// How to connect to this schema.
    pub(crate) fn options(&self) -> PgConnectOptions {
        self.options.clone()
    }

    /// The same, each session with that setting.
    pub(crate) async fn pool_with(&self, setting: &str, value: &str) -> PgPool {
        PgPoolOptions::new()
            .max_connections(6)
            .connect_with(self.options.clone().options([(setting, value)]))
            .await
            .expect("the server of IDEM_TEST_POSTGRES_URL answers")
    }

    /// Connections under that name which are lent without asking whether they still live.
    pub(crate) async fn unasked_pool(&self, name: &str) -> PgPool {
        PgPoolOptions::new()
            .max_connections(6)
            .test_before_acquire(false)
            .connect_with(self.options.clone().application_name(name))
            .await
            .expect("the server of IDEM_TEST_POSTGRES_URL answers")
    }

    /// Drops the schema with everything in it.
    pub(crate) async fn drop(self, pool: &PgPool) {
        let drop = format!("drop schema {} cascade", self.name);
        sqlx::raw_sql(AssertSqlSafe(drop))
            .execute(pool)
            .await
            .expect("a schema can be dropped");
        pool.close().await;
    }
}

fn not_run() {
    static SAID: Once = Once::new();
    let required = std::env::var_os("CI").is_some()
        || std::env::var("IDEM_TEST_REQUIRE_SERVICES").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "not run: Postgres (IDEM_TEST_POSTGRES_URL is not set, and services are required)"
    );
    SAID.call_once(|| {
        // Past the capture of the test harness: a run that left a service out has to show it.
        let _ = std::io::stderr().write_all(
            b"not run: Postgres (IDEM_TEST_POSTGRES_URL is not set; `cargo xtask test` sets it)\n",
        );
    });
}
