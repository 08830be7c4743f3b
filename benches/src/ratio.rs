//! Medians of ratios taken within a round: drift between rounds cancels out.

/// One quantity, measured once a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series(Vec<f64>);

impl Series {
    /// Adds the measurement of one more round.
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// The middle of the rounds.
    pub(crate) fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// The middle of `self / other`, round by round.
    pub(crate) fn over(&self, other: &Self) -> f64 {
        median(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(own, other)| own / other)
                .collect(),
        )
    }
}

/// Two neighbouring fields of `/proc/self/stat`, added up, in seconds: user and system time. From
/// field 11 on they are this process's own, from 13 on those of its ended children. The kernel counts
/// in hundredths.
pub(crate) fn cpu_seconds(field: usize) -> Result<f64, crate::Problem> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    // The second field is a name in brackets, and may hold spaces.
    let (_, rest) = text.rsplit_once(')').ok_or("a strange /proc/self/stat")?;
    let ticks: f64 = rest
        .split_whitespace()
        .skip(field)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum();
    Ok(ticks / 100.0)
}

/// The middle value; of an even number the mean of the middle two; of none, not a number.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.get(middle), values.len() % 2) {
        (None, _) => f64::NAN,
        (Some(value), 1) => *value,
        (Some(value), _) => (values[middle - 1] + value) / 2.0,
    }
}

/// What a ratio should be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// Good when it is not smaller.
    AtLeast(f64),
    /// Good when it is not larger.
    AtMost(f64),
    /// Shown for comparison.
    None,
}

/// Prints one line: what was measured, the value, the target and whether it is met.
pub(crate) fn report(what: &str, value: f64, target: Target) {
    let (wanted, met) = match target {
        Target::AtLeast(limit) => (format!(">= {limit}"), value >= limit),
        Target::AtMost(limit) => (format!("<= {limit}"), value <= limit),
        Target::None => {
            println!("  {what:<66} {value:>10.3}");
            return;
        }
    };
    let verdict = if met { "met" } else { "MISSED" };
    println!("  {what:<66} {value:>10.3}   target {wanted:<8} {verdict}");
}

#[cfg(test)]
mod tests {
    use super::{Series, median};

    #[test]
    fn the_median_of_ratios_ignores_drift_that_both_share() {
        let (mut one, mut other) = (Series::default(), Series::default());
        for drift in [1.0, 10.0, 100.0] {
            one.push(2.0 * drift);
            other.push(drift);
        }
        assert!((one.over(&other) - 2.0).abs() < 1e-9);
        assert!((one.median() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn an_even_number_of_rounds_has_a_middle_too() {
        assert!((median(vec![4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < 1e-9);
        assert!(median(Vec::new()).is_nan());
    }
}
