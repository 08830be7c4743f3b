//! Runs a command so that Ctrl-C ends the command first and the chore can clean up after it.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::problem::{During, Problem, Result};

/// Set once the person, or the system, asked the chore to end.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches Ctrl-C, a hang-up and a polite kill from now on.
    pub(crate) fn catch() -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&flag)).during("catching Ctrl-C")?;
        }
        Ok(Self(flag))
    }

    /// Whether it has been asked.
    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs `command` to its end and hands each line of its standard output to `line`.
///
/// The command leads a process group of its own: an interrupt reaches it, and whatever it started,
/// through this function alone.
pub(crate) fn run(
    mut command: Command,
    interrupt: &Interrupt,
    mut line: impl FnMut(&str) + Send,
) -> Result<ExitStatus> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .during(format_args!("starting {name}"))?;
    let Some(output) = child.stdout.take() else {
        return Err(Problem::new(format!("{name} has no standard output")));
    };
    thread::scope(|scope| {
        scope.spawn(move || {
            for text in BufReader::new(output)
                .split(b'\n')
                .map_while(std::result::Result::ok)
            {
                line(&String::from_utf8_lossy(&text));
            }
        });
        wait(&mut child, interrupt)
    })
    .during(format_args!("waiting for {name}"))
}

fn wait(child: &mut Child, interrupt: &Interrupt) -> std::io::Result<ExitStatus> {
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt.is_raised() && !told {
            told = true;
            signal("TERM", &format!("-{}", child.id()));
        }
        thread::sleep(Duration::from_millis(25));
    }
}

/// Sends a signal to a process, or with a leading `-` to a process group. A target that is gone is
/// no problem: that is what the signal wanted.
pub(crate) fn signal(signal: &str, target: &str) {
    // The shell's own `kill`: a slim Debian has no such program.
    let _gone = Command::new("sh")
        .args(["-c", "kill -s \"$0\" -- \"$1\" 2>/dev/null", signal, target])
        .status();
}
