//! `cargo xtask test`: every test, with the servers it needs.

mod count;
mod features;
mod snapshots;

use std::process::ExitCode;
use std::time::Instant;

use crate::child::{self, Interrupt};
use crate::problem::{Problem, Result};
use crate::services::{self, Durability};
use crate::workspace;
use count::Count;

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Handed to `cargo test`: a part of a test's name, `-p <package>`, `-- --nocapture`.
    /// With any of them, only the chosen tests run.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pass: Vec<String>,
}

/// Runs the tests; the last line printed is `N passed, N failed`.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let begun = Instant::now();
    let interrupt = Interrupt::catch()?;
    let everything = arguments.pass.is_empty();
    let (servers, missing) = services::for_tests(Durability::Throwaway);
    if workspace::in_ci() && !missing.is_empty() {
        return Err(Problem::new(missing.join("\n")));
    }

    let mut cargo = workspace::cargo();
    cargo.args(["test", "--no-fail-fast", "--all-features"]);
    if !chooses_packages(&arguments.pass) {
        cargo.arg("--workspace");
    }
    cargo.args(&arguments.pass);
    for server in &servers {
        cargo.env(server.variable(), server.url());
    }
    let references = everything
        .then(snapshots::References::collect)
        .transpose()?;
    if let Some(references) = &references {
        references.ask(&mut cargo);
    }

    let mut count = Count::default();
    let status = child::run(cargo, &interrupt, |line| {
        println!("{line}");
        count.read(line);
    })?;
    drop(servers);
    if interrupt.is_raised() {
        return Err(Problem::new(
            "interrupted; the servers started for this run are stopped",
        ));
    }

    let mut well = status.success();
    if everything && well {
        well &= features::check(&interrupt)?;
        if let Some(references) = references {
            well &= references.judge()?;
        }
    }
    println!();
    for reason in &missing {
        println!("not run: {reason}");
    }
    println!("tests took {} s", begun.elapsed().as_secs());
    if !well && count.failed() == 0 {
        println!("the run failed outside of a test: see above");
    }
    if !everything && well && count.ran() == 0 {
        println!("no test was run; a filter is a part of a test's name");
    }
    println!("{count}");
    Ok(if well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Whether the person named packages, which `--workspace` would overrule.
fn chooses_packages(pass: &[String]) -> bool {
    pass.iter()
        .take_while(|word| *word != "--")
        .any(|word| word == "-p" || word.starts_with("--package") || word.starts_with("-p="))
}

#[cfg(test)]
mod tests {
    use super::chooses_packages;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(String::from).collect()
    }

    #[test]
    fn a_named_package_replaces_the_whole_workspace() {
        assert!(chooses_packages(&words("-p idem-rs claim")));
        assert!(chooses_packages(&words("--package=idem-rs")));
        assert!(!chooses_packages(&words("claim -- -p")));
    }
}
