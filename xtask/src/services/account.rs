//! The unprivileged account under which root starts a server.

use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::problem::{During, Problem, Result};

/// A line of the account database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    name: String,
    user: u32,
    group: u32,
}

impl Account {
    /// The account that `name` stands for when the caller is root; nothing for anybody else, who
    /// runs servers as themselves. An absent account is created.
    pub(super) fn for_root(name: &str) -> Result<Option<Self>> {
        if !is_root() {
            return Ok(None);
        }
        if let Some(account) = Self::find(name)? {
            return Ok(Some(account));
        }
        let created = Command::new("useradd")
            .args([
                "--system",
                "--user-group",
                "--no-create-home",
                "--shell",
                "/usr/sbin/nologin",
            ])
            .arg(name)
            .status()
            .during("starting useradd")?;
        match Self::find(name)? {
            Some(account) if created.success() => Ok(Some(account)),
            _ => Err(Problem::new(format!(
                "the server refuses to run as root, and the account {name} could not be created: \
                 create it, or run as another user"
            ))),
        }
    }

    fn find(name: &str) -> Result<Option<Self>> {
        let accounts = std::fs::read_to_string("/etc/passwd").during("reading /etc/passwd")?;
        Ok(accounts
            .lines()
            .find_map(|line| Self::parse(line).filter(|account| account.name == name)))
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        let user = fields.nth(1)?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        Some(Self { name, user, group })
    }

    /// Makes `command` run under this account.
    pub(super) fn run(&self, command: &mut Command) {
        command
            .uid(self.user)
            .gid(self.group)
            .env("HOME", "/")
            .env("USER", &self.name);
    }

    /// Gives `path` to this account.
    pub(super) fn own(&self, path: &Path) -> Result<()> {
        chown(path, Some(self.user), Some(self.group)).during(format_args!(
            "giving {} to {}",
            path.display(),
            self.name
        ))
    }

    /// Whether this account can write into `folder`, every folder above it included.
    pub(super) fn reaches(&self, folder: &Path) -> bool {
        let mut probe = Command::new("sh");
        probe
            .args(["-c", "cd \"$0\" && test -w ."])
            .arg(folder)
            .current_dir("/");
        probe.stderr(std::process::Stdio::null());
        self.run(&mut probe);
        probe.status().is_ok_and(|status| status.success())
    }
}

/// Whether this process may become another account.
pub(super) fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n")
}

/// Makes `folder` readable by its owner alone, and `account` its owner.
pub(super) fn make_private(folder: &Path, account: Option<&Account>) -> Result<()> {
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
        .during(format_args!("closing {} to others", folder.display()))?;
    account.map_or(Ok(()), |account| account.own(folder))
}

/// Writes a file that `account` alone can read, from its first byte on.
pub(super) fn write_private(path: &Path, text: &str, account: Option<&Account>) -> Result<()> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .during(format_args!("creating {}", path.display()))?;
    file.write_all(text.as_bytes())
        .during(format_args!("writing {}", path.display()))?;
    account.map_or(Ok(()), |account| account.own(path))
}

#[cfg(test)]
mod tests {
    use super::Account;

    #[test]
    fn an_account_is_read_from_its_line() {
        let account =
            Account::parse("postgres:x:101:104:PostgreSQL,,,:/var/lib/postgresql:/bin/bash");
        assert_eq!(
            account,
            Some(Account {
                name: "postgres".into(),
                user: 101,
                group: 104
            })
        );
        assert_eq!(Account::parse("a broken line"), None);
    }
}
