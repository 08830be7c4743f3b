//! Builds each crate with the features a user may choose: a workspace build turns all of them on
//! and hides a missing one.

use crate::child::{self, Interrupt};
use crate::problem::Result;
use crate::workspace;

/// Package and flags, one build each. The floors below the runtime stand alone.
const COMBINATIONS: &[(&str, &[&str])] = &[
    ("idem-contract", &[]),
    ("idem-macros", &[]),
    ("idem-rs", &["--no-default-features"]),
    (
        "idem-rs",
        &["--no-default-features", "--features", "sqlite"],
    ),
    (
        "idem-rs",
        &["--no-default-features", "--features", "postgres"],
    ),
    ("idem-rs", &["--no-default-features", "--features", "mysql"]),
    ("idem-cli", &["--no-default-features"]),
];

/// Checks every combination; says which do not build.
pub(super) fn check(interrupt: &Interrupt) -> Result<bool> {
    let mut well = true;
    for (package, flags) in COMBINATIONS {
        let mut cargo = workspace::cargo();
        // --lib: a package's tests turn on features that its users may not have.
        cargo
            .args([
                "rustc",
                "--quiet",
                "--profile",
                "check",
                "--lib",
                "--package",
                package,
            ])
            .args(*flags)
            // Code that a feature leaves unused is as wrong as code that it leaves out.
            .args(["--", "-D", "warnings"]);
        let builds = child::run(cargo, interrupt, |line| println!("{line}"))?.success();
        let verdict = if builds { "builds" } else { "does NOT build" };
        println!("feature check: {package} {} {verdict}", flags.join(" "));
        well &= builds;
    }
    Ok(well)
}
