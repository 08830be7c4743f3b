//! The entry point.

use std::process::ExitCode;

fn main() -> ExitCode {
    idem_cli::main()
}
