//! Private servers for tests and benchmarks, one per clone, under `target/services/<name>/`.
//!
//! A service is one file in `services/` with an `impl Service`, and one entry in [`ALL`].

mod account;
mod install;
mod mariadb;
mod postgres;
mod state;
mod yard;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Subcommand;

use crate::problem::Result;
use crate::workspace;
use account::Account;
pub(crate) use yard::Server;
use yard::Yard;

/// Every service. The order is the order of starting.
pub(crate) static ALL: &[&dyn Service] = &[&postgres::Postgres, &mariadb::MariaDb];

/// A server that tests use.
pub(crate) trait Service: Sync {
    /// The folder's name and the word in messages.
    fn name(&self) -> &'static str;

    /// The environment variable that hands tests its URL. When a person has set it, that server is
    /// used and none is started.
    fn variable(&self) -> &'static str;

    /// The Debian package that brings it, or several with spaces between.
    fn package(&self) -> &'static str;

    /// Files that must lie there before the package is installed, so that the installation does not
    /// start a server of its own.
    fn before_install(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The programs called by [`Service::initialise`], [`Service::server`] and [`Service::is_ready`].
    fn programs(&self) -> &'static [&'static str];

    /// Where programs lie besides `PATH`; each is looked into first.
    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The account a server runs under when root starts it, for those that refuse root.
    fn account(&self) -> Option<&'static str> {
        None
    }

    /// Makes the data folder, which exists and is empty.
    fn initialise(&self, place: &Place) -> Result<()>;

    /// The server in the foreground, listening on the loopback address alone.
    fn server(&self, place: &Place) -> Command;

    /// Whether it answers.
    fn is_ready(&self, place: &Place) -> bool;

    /// What a client connects to.
    fn url(&self, place: &Place) -> String;

    /// The server that a person chose instead of a private one.
    fn named_by_environment(&self) -> Option<String> {
        std::env::var(self.variable())
            .ok()
            .filter(|url| !url.is_empty())
    }

    /// The signals that end it, the polite one first.
    fn stop_signals(&self) -> [&'static str; 2] {
        ["TERM", "KILL"]
    }
}

/// Whether the server keeps what it was told when the machine loses power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Nothing reaches the disk on purpose: tests are faster, and lose nothing when a client dies.
    Throwaway,
    /// The server's own default settings: what benchmarks must measure.
    Durable,
}

/// One attempt to start a service: its programs, its folder, its port.
#[derive(Debug)]
pub(crate) struct Place {
    programs: Vec<(&'static str, PathBuf)>,
    /// Empty until [`Service::initialise`]; writable by the account.
    pub(crate) data: PathBuf,
    /// Free a moment ago.
    pub(crate) port: u16,
    /// Drawn anew for each server.
    pub(crate) password: String,
    /// What the server owes the disk.
    pub(crate) durability: Durability,
    account: Option<Account>,
}

impl Place {
    /// One of the service's programs, run as the service's account in its data folder, without the
    /// caller's language settings.
    pub(crate) fn command(&self, program: &'static str) -> Command {
        let path = self
            .programs
            .iter()
            .find(|(name, _)| *name == program)
            .map_or_else(|| Path::new(program), |(_, path)| path);
        let mut command = Command::new(path);
        command
            .current_dir(&self.data)
            .env("LC_ALL", "C")
            .env("TZ", "UTC");
        if let Some(account) = &self.account {
            account.run(&mut command);
        }
        command
    }
}

/// What `cargo xtask services` does.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Action {
    /// Starts what is not running and prints `VARIABLE=URL` lines; the servers stay up.
    Up,
    /// Stops the servers of this clone and removes their data.
    Down,
    /// Says what is running.
    Status,
}

/// Carries out `action` for every service.
pub(crate) fn run(action: Action) -> Result<ExitCode> {
    let yard = Yard::of(&workspace::root(), Durability::Throwaway);
    let mut code = ExitCode::SUCCESS;
    for service in ALL {
        match action {
            Action::Up => match yard.start(*service) {
                Ok(server) => {
                    println!("{}={}", server.variable(), server.url());
                    server.keep()?;
                }
                Err(problem) => {
                    eprintln!("xtask: {problem}");
                    code = ExitCode::FAILURE;
                }
            },
            Action::Down => {
                let word = if yard.stop(*service)? {
                    "stopped"
                } else {
                    "was not running"
                };
                println!("{} {word}", service.name());
            }
            Action::Status => {
                let status = service.named_by_environment().map_or_else(
                    || yard.status(*service),
                    |url| format!("{} names {url}", service.variable()),
                );
                println!("{}: {status}", service.name());
            }
        }
    }
    Ok(code)
}

/// Starts every service that tests need; those started here stop when the value is dropped. Beside
/// them, one sentence for each that is missing.
pub(crate) fn for_tests(durability: Durability) -> (Vec<Server>, Vec<String>) {
    let yard = Yard::of(&workspace::root(), durability);
    let mut servers = Vec::new();
    let mut missing = Vec::new();
    for service in ALL {
        match yard.start(*service) {
            Ok(server) => servers.push(server),
            Err(problem) => missing.push(problem.to_string()),
        }
    }
    (servers, missing)
}
