//! A worker's process, as the driver holds it.

use std::process::Stdio;
use std::time::Instant;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::UnboundedSender;

use super::delivery::{Delivery, Told};
use super::{Place, Problem};

/// What the driver hears.
#[derive(Debug)]
pub(super) enum Heard {
    /// A caller was told something.
    Told(u64, Told),
    /// The process of that birth is gone, after everything it said.
    Gone(u64),
}

/// One process.
pub(super) struct Process {
    /// Which process of the run it is.
    pub(super) birth: u64,
    child: Child,
    input: Option<ChildStdin>,
    /// Deliveries without an answer.
    pub(super) held: Vec<Delivery>,
    /// Until when it is stopped.
    pub(super) stopped: Option<Instant>,
    pub(super) killed: bool,
}

impl Process {
    /// Starts this program as a worker.
    pub(super) fn start(
        place: &Place,
        birth: u64,
        twin: Option<&str>,
        heard: UnboundedSender<Heard>,
    ) -> Result<Self, Problem> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("soak-worker")
            .args(twin)
            .env("IDEM_SOAK_URL", &place.url)
            .env("IDEM_SOAK_SCHEMA", &place.schema)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = output.ok_or("a worker has no output")?;
        tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                // What a kill cut off was never said.
                if let Some((number, told)) = Told::read(&line)
                    && heard.send(Heard::Told(number, told)).is_err()
                {
                    return;
                }
            }
            // Without a driver nobody needs to know.
            let _ = heard.send(Heard::Gone(birth));
        });
        Ok(Self {
            birth,
            child,
            input,
            held: Vec::new(),
            stopped: None,
            killed: false,
        })
    }

    /// Hands it a delivery. One that dies meanwhile is redelivered when the driver hears of it.
    pub(super) async fn deliver(&mut self, delivery: Delivery) {
        self.held.push(delivery);
        if let Some(input) = &mut self.input {
            let _dying = input.write_all(format!("{delivery}\n").as_bytes()).await;
        }
    }

    /// Whether it takes deliveries: few at a time, so that a stopped one holds few up.
    pub(super) fn has_room(&self) -> bool {
        self.held.len() < 12 && self.stopped.is_none() && !self.killed
    }

    pub(super) fn kill(&mut self) -> Result<(), Problem> {
        self.killed = true;
        Ok(self.child.start_kill()?)
    }

    pub(super) async fn stop(&mut self, until: Instant) -> Result<(), Problem> {
        self.stopped = Some(until);
        self.signal("STOP").await
    }

    pub(super) async fn go_on(&mut self) -> Result<(), Problem> {
        self.stopped = None;
        self.signal("CONT").await
    }

    async fn signal(&self, name: &str) -> Result<(), Problem> {
        if let Some(id) = self.child.id() {
            // The shell's own `kill`: a slim system has no such program. A target that is gone is
            // heard of elsewhere.
            Command::new("sh")
                .args(["-c", "kill -s \"$0\" \"$1\" 2>/dev/null", name])
                .arg(id.to_string())
                .status()
                .await?;
        }
        Ok(())
    }

    /// Tells it that there is no more, and waits for its end.
    pub(super) async fn end(mut self) -> Result<(), Problem> {
        self.input = None;
        self.child.wait().await?;
        Ok(())
    }
}
