//! The parent's side of a child process.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::PATIENCE;
use super::child::{Child, JOB, Job, MARK, name_of};
use super::seen::Seen;
use super::subject::Trouble;
use crate::Point;

/// A child process at work on one delivery.
pub(super) struct Process {
    child: tokio::process::Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

/// How far a child came.
#[derive(Debug)]
pub(super) enum Came {
    /// It stands at the point and waits.
    ToThePoint,
    /// It finished without passing the point.
    ToTheEnd(Seen),
}

impl Process {
    /// Starts a child on that event; it stops at the point, or nowhere.
    pub(super) async fn start(
        child: &Child,
        subject: String,
        url: &str,
        event: &[u8],
        stop_at: Option<Point>,
    ) -> Result<Self, Trouble> {
        let job = Job {
            url: url.to_owned(),
            subject,
            event: String::from_utf8(event.to_vec())?,
            stop_at: stop_at.map(|point| name_of(point).to_owned()),
        };
        let mut process = Command::new(std::env::current_exe()?)
            .args(&child.args)
            .env(JOB, serde_json::to_string(&job)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the child process has no pipes".into());
        };
        Ok(Self {
            child: process,
            stdin,
            lines: BufReader::new(stdout).lines(),
        })
    }

    /// Waits until the child stands at its point or has finished.
    pub(super) async fn came(&mut self) -> Result<Came, Trouble> {
        let said = timeout(PATIENCE, self.next_said()).await;
        let said = said.map_err(|_| {
            format!("the child process neither reached its point nor finished within {PATIENCE:?}")
        })??;
        if said.starts_with("reached ") {
            return Ok(Came::ToThePoint);
        }
        if let Some(seen) = said.strip_prefix("done ").and_then(Seen::from_line) {
            return Ok(Came::ToTheEnd(seen));
        }
        Err(format!("the child process says: {said}").into())
    }

    /// SIGKILL: no destructor runs, no connection is closed in order.
    pub(super) async fn kill(mut self) -> Result<(), Trouble> {
        self.child.kill().await?;
        Ok(())
    }

    /// Lets a child that stands at its point go on, and waits for its end.
    pub(super) async fn go_on(mut self) -> Result<Seen, Trouble> {
        self.stdin.write_all(b"go on\n").await?;
        self.stdin.flush().await?;
        match self.came().await? {
            Came::ToTheEnd(seen) => Ok(seen),
            Came::ToThePoint => Err("the child process stopped twice".into()),
        }
    }

    async fn next_said(&mut self) -> Result<String, Trouble> {
        while let Some(line) = self.lines.next_line().await? {
            if let Some((_, said)) = line.split_once(MARK) {
                return Ok(said.to_owned());
            }
        }
        let status = self.child.wait().await?;
        Err(format!(
            "the child process ended ({status}) without a word: does the test that it was asked to run exist, and call `idem::drill::child`?"
        )
        .into())
    }
}
