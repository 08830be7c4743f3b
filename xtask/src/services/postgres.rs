//! PostgreSQL, as Debian packages it or from `PATH`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Durability, Place, Service};
use crate::problem::{During, Problem, Result};

/// The superuser of the private cluster.
const USER: &str = "idem";

/// PostgreSQL.
pub(super) struct Postgres;

impl Service for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn variable(&self) -> &'static str {
        "IDEM_TEST_POSTGRES_URL"
    }

    fn package(&self) -> &'static str {
        "postgresql"
    }

    fn before_install(&self) -> &'static [(&'static str, &'static str)] {
        // Debian's package otherwise creates a cluster and starts it on port 5432.
        &[(
            "/etc/postgresql-common/createcluster.d/no-main-cluster.conf",
            "create_main_cluster = false\n",
        )]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["initdb", "postgres", "pg_isready"]
    }

    fn folders(&self) -> Vec<PathBuf> {
        // Debian keeps the server's programs out of PATH, one folder a major version.
        let Ok(entries) = std::fs::read_dir("/usr/lib/postgresql") else {
            return Vec::new();
        };
        let mut versions: Vec<(u32, PathBuf)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let version = entry.file_name().to_str()?.parse().ok()?;
                Some((version, entry.path().join("bin")))
            })
            .collect();
        versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
        versions.into_iter().map(|(_, folder)| folder).collect()
    }

    fn account(&self) -> Option<&'static str> {
        Some("postgres")
    }

    fn initialise(&self, place: &Place) -> Result<()> {
        let secret = place.data.join("password");
        let cluster = place.data.join("cluster");
        // initdb reads the password from a file alone, before its own folder exists.
        super::account::write_private(&secret, &place.password, place.account.as_ref())?;
        let output = place
            .command("initdb")
            .arg("--pgdata")
            .arg(&cluster)
            .arg("--pwfile")
            .arg(&secret)
            // In clear over the loopback address: a debug build needs 30 ms to answer a SCRAM
            // challenge, and tests connect often.
            .args(["--username", USER, "--auth=password"])
            .args(["--encoding=UTF8", "--locale=C", "--no-sync"])
            .stdin(Stdio::null())
            .output()
            .during("starting initdb")?;
        if output.status.success() {
            return Ok(());
        }
        Err(Problem::new(format!(
            "initdb failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )))
    }

    fn server(&self, place: &Place) -> Command {
        let mut server = place.command("postgres");
        server.arg("-D").arg(place.data.join("cluster"));
        server.args(["-p", &place.port.to_string()]);
        let settings = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
        ];
        let careless = [
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
        ];
        let careless = match place.durability {
            Durability::Throwaway => careless.as_slice(),
            Durability::Durable => &[],
        };
        for setting in settings.iter().chain(careless) {
            server.args(["-c", setting]);
        }
        server
    }

    fn is_ready(&self, place: &Place) -> bool {
        place
            .command("pg_isready")
            .args([
                "--quiet",
                "--host=127.0.0.1",
                "--dbname=postgres",
                "--username",
                USER,
            ])
            .args(["--port", &place.port.to_string()])
            .status()
            .is_ok_and(|status| status.success())
    }

    fn url(&self, place: &Place) -> String {
        format!(
            "postgres://{USER}:{}@127.0.0.1:{}/postgres",
            place.password, place.port
        )
    }

    fn stop_signals(&self) -> [&'static str; 2] {
        // INT closes the clients' connections; TERM would wait for them to leave. QUIT ends every
        // backend, which KILL to the first process would not.
        ["INT", "QUIT"]
    }
}
