//! Instructions that rustc executes, counted by valgrind: the same on a busy machine as on a quiet one.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::Problem;

/// Names the file for the count, and so makes this program stand between cargo and rustc.
const COUNTED: &str = "IDEM_BENCH_INSTRUCTIONS";

/// Whether valgrind is there to count.
pub(super) fn is_possible() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Makes cargo hand each call of rustc for the crate itself to this program.
pub(super) fn between(cargo: &mut Command, log: &Path) -> Result<(), Problem> {
    cargo
        .env(COUNTED, log)
        .env("RUSTC_WORKSPACE_WRAPPER", std::env::current_exe()?);
    Ok(())
}

/// The count that the last call left.
pub(super) fn read(log: &Path) -> Result<f64, Problem> {
    let text = std::fs::read_to_string(log)?;
    let line = text.lines().rev().find(|line| line.contains("refs:"));
    let digits: String = line
        .and_then(|line| line.rsplit(':').next())
        .map(|count| count.chars().filter(char::is_ascii_digit).collect())
        .unwrap_or_default();
    digits
        .parse()
        .map_err(|_| format!("valgrind counted nothing in {}", log.display()).into())
}

/// When cargo calls this program in rustc's place: rustc, under valgrind where it compiles the crate.
pub(crate) fn stand_in() -> Option<Result<ExitCode, Problem>> {
    let log = std::env::var_os(COUNTED)?;
    Some(call(&log))
}

fn call(log: &std::ffi::OsStr) -> Result<ExitCode, Problem> {
    let mut words = std::env::args_os().skip(1);
    let rustc = words.next().ok_or("cargo named no rustc")?;
    let words: Vec<_> = words.collect();
    let compiles = words.iter().any(|word| word == super::CRATE);
    let mut command = if compiles {
        // The name that cargo knows may be rustup's, which only starts the compiler.
        let root = Command::new(&rustc).args(["--print", "sysroot"]).output()?;
        let root = String::from_utf8(root.stdout)?;
        let mut file = std::ffi::OsString::from("--log-file=");
        file.push(log);
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--tool=cachegrind", "--cache-sim=no"])
            .arg("--cachegrind-out-file=/dev/null")
            .arg(file)
            .arg(Path::new(root.trim()).join("bin").join("rustc"));
        valgrind
    } else {
        Command::new(rustc)
    };
    let status = command.args(words).status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
