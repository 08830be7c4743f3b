//! Prints what was measured, and the ratios beside their targets.

use super::Pattern;
use super::measure::Measured;
use crate::ratio::{Series, Target, report};

/// Prints one line a pattern: latency, rate, CPU.
pub(super) fn absolute(store: &str, clients: usize, measured: &Measured) {
    println!("{store}, {clients} client(s):");
    println!(
        "  {:<36} {:>12} {:>12} {:>14}",
        "pattern", "p50 us mixed", "per second", "CPU us a call"
    );
    for pattern in Pattern::ALL {
        println!(
            "  {:<36} {:>12.0} {:>12.0} {:>14.0}",
            pattern.name(),
            of(&measured.latency, pattern).median() * 1e6,
            of(&measured.rate, pattern).median(),
            of(&measured.cpu, pattern).median() * 1e6,
        );
    }
}

/// The rate of one pattern over that of another.
pub(super) fn rate(measured: &Measured, own: Pattern, other: Pattern, target: Target) {
    let ratio = of(&measured.rate, own).over(&of(&measured.rate, other));
    report(
        &format!("rate: {} / {}", own.name(), other.name()),
        ratio,
        target,
    );
}

/// The median latency of one pattern over that of another.
pub(super) fn latency(measured: &Measured, own: Pattern, other: Pattern, target: Target) {
    let ratio = of(&measured.latency, own).over(&of(&measured.latency, other));
    report(
        &format!("p50: {} / {}", own.name(), other.name()),
        ratio,
        target,
    );
}

/// The CPU of one pattern over that of another.
pub(super) fn cpu(measured: &Measured, own: Pattern, other: Pattern, target: Target) {
    let ratio = of(&measured.cpu, own).over(&of(&measured.cpu, other));
    report(
        &format!("CPU: {} / {}", own.name(), other.name()),
        ratio,
        target,
    );
}

fn of(series: &std::collections::BTreeMap<Pattern, Series>, pattern: Pattern) -> Series {
    series.get(&pattern).cloned().unwrap_or_default()
}
