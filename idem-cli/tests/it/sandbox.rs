//! A folder of its own and the binary in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Once;

use tempfile::TempDir;

/// The worked contract, clean.
pub(crate) const REFUND: &str = include_str!("../../../contracts/refund-order.toml");

/// A scratch project. Its `.git` keeps the search for `idem.toml` inside.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        fs::create_dir(folder.path().join(".git")).expect("a repository's root");
        Self { folder }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
        fs::write(path, content).expect("a file");
        self
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("the file that was written")
    }

    /// The binary in a folder of the sandbox, in an environment that says nothing.
    pub(crate) fn command(&self, folder: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idem"));
        command.current_dir(self.path(folder));
        for name in [
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "IDEM_URL",
            "DATABASE_URL",
        ] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_in("", args, b"", &[])
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        self.run_in("", args, input, &[])
    }

    pub(crate) fn run_in(
        &self,
        folder: &str,
        args: &[&str],
        input: &[u8],
        environment: &[(&str, &str)],
    ) -> Ran {
        let mut child = self
            .command(folder)
            .args(args)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the idem binary");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that does not read its input may be gone already.
        let _ = stdin.write_all(input);
        drop(stdin);
        let ended = child.wait_with_output().expect("the end of the process");
        Ran {
            status: ended.status.code().expect("an exit status"),
            out: String::from_utf8(ended.stdout).expect("text on standard output"),
            err: String::from_utf8(ended.stderr).expect("text on standard error"),
        }
    }
}

/// The Postgres server of the tests; `None` when there is none, which is said once and by name, and is
/// a failure where services are required.
pub(crate) fn postgres() -> Option<String> {
    static SAID: Once = Once::new();
    server("Postgres", "IDEM_TEST_POSTGRES_URL", &SAID)
}

/// The same for MariaDB.
pub(crate) fn mysql() -> Option<String> {
    static SAID: Once = Once::new();
    server("MariaDB", "IDEM_TEST_MYSQL_URL", &SAID)
}

fn server(name: &str, variable: &str, said: &Once) -> Option<String> {
    let url = std::env::var(variable).ok();
    if url.is_none() {
        let required = std::env::var("IDEM_TEST_REQUIRE_SERVICES").is_ok_and(|value| value == "1");
        assert!(
            !required && std::env::var_os("CI").is_none(),
            "not run: {name} ({variable} is not set, and services are required)"
        );
        said.call_once(|| {
            // Past the capture of the test harness: a run that left a service out has to show it.
            let _ = writeln!(
                std::io::stderr(),
                "not run: {name} ({variable} is not set; `cargo xtask test` sets it)"
            );
        });
    }
    url
}

/// `text` with `from`, which must be in it, replaced by `to`.
pub(crate) fn edited(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "`{from}` is not in the text");
    text.replacen(from, to, 1)
}
