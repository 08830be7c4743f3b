//! What a clone remembers of a server it started.

use std::path::{Path, PathBuf};

use crate::problem::{During, Result};

/// The contents of `target/services/<name>/state`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) pid: u32,
    pub(super) url: String,
    pub(super) data: PathBuf,
    /// A person asked for it, so a test run leaves it running.
    pub(super) kept: bool,
}

impl State {
    /// What `file` says; nothing when it is absent or was cut short.
    pub(super) fn read(file: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(file).ok()?;
        let field = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .map(String::from)
        };
        Some(Self {
            pid: field("pid")?.parse().ok()?,
            url: field("url")?,
            data: field("data")?.into(),
            kept: field("kept")? == "yes",
        })
    }

    /// Replaces `file` whole: a reader sees the old text or the new one.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let kept = if self.kept { "yes" } else { "no" };
        let text = format!(
            "pid={}\nurl={}\ndata={}\nkept={kept}\n",
            self.pid,
            self.url,
            self.data.display()
        );
        let next = file.with_extension("next");
        super::account::write_private(&next, &text, None)?;
        std::fs::rename(&next, file).during(format_args!("writing {}", file.display()))
    }

    /// Whether the process is alive and is the server of this data folder: a process id is given to
    /// somebody else one day.
    pub(super) fn is_alive(&self) -> bool {
        let data = self.data.display().to_string();
        match std::fs::read(format!("/proc/{}/cmdline", self.pid)) {
            Ok(words) => String::from_utf8_lossy(&words).contains(&data),
            Err(_) if Path::new("/proc/self").exists() => false,
            Err(_) => std::process::Command::new("ps")
                .args(["-o", "args=", "-p", &self.pid.to_string()])
                .output()
                .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&data)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::State;

    fn state() -> State {
        State {
            pid: 1,
            url: "postgres://u:p@127.0.0.1:1/d".into(),
            data: "/nowhere/at all".into(),
            kept: true,
        }
    }

    #[test]
    fn what_is_written_is_read_back() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("state");
        state().write(&file)?;
        assert_eq!(State::read(&file), Some(state()));
        std::fs::write(&file, "pid=1\nurl=")?;
        assert_eq!(
            State::read(&file),
            None,
            "a file that was cut short is no state"
        );
        Ok(())
    }

    #[test]
    fn a_stranger_with_our_process_id_is_not_our_server() {
        assert!(!state().is_alive());
    }
}
