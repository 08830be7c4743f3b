//! How long things take, summed from what a contract states.
//!
//! Sums saturate: a contract may state `999999999d`, and no rule may panic on it. A term that was
//! written but not understood makes its whole sum unknown, because the parser has already spoken.

use std::time::Duration;

use crate::sources::{self, Fact, Source};
use crate::{Contract, Diagnostic, Fix, Setting, Span};

/// A sum with the terms it is made of.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    /// All terms together.
    pub(crate) total: Duration,
    terms: Vec<Term>,
}

#[derive(Clone, Debug)]
struct Term {
    text: String,
    span: Option<Span>,
    label: String,
}

impl Sum {
    const fn empty() -> Self {
        Self {
            total: Duration::ZERO,
            terms: Vec::new(),
        }
    }

    fn add(&mut self, value: Duration, text: String, span: Option<Span>, label: String) {
        self.total = self.total.saturating_add(value);
        self.terms.push(Term { text, span, label });
    }

    /// `redelivers_for 3d + dead_letter_for 14d = 17d`; one term that is its own sum stands alone.
    pub(crate) fn formula(&self) -> String {
        let total = text(self.total);
        if let [term] = self.terms.as_slice()
            && term.text.split(' ').any(|word| word == total)
        {
            return term.text.clone();
        }
        let terms: Vec<&str> = self.terms.iter().map(|term| term.text.as_str()).collect();
        format!("{} = {total}", terms.join(" + "))
    }

    /// Puts a second label on every term that stands in the contract.
    pub(crate) fn label(&self, finding: &mut Diagnostic) {
        for term in &self.terms {
            if let Some(span) = term.span {
                finding.also(span, term.label.clone());
            }
        }
    }
}

/// Whether there is a claim to speak of: effects, and bookkeeping of the workflow's own. A strategy
/// that could not be read may be one without.
pub(crate) fn claims(contract: &Contract) -> bool {
    !matches!(contract.strategy, Setting::Unreadable(_))
        && contract.keeps_bookkeeping()
        && !contract.effects.is_empty()
}

/// What one attempt may take: timeouts times tries of every effect that states a timeout.
///
/// It is a lower bound: an effect without a timeout counts as nothing.
pub(crate) fn work(contract: &Contract) -> Sum {
    let mut sum = Sum::empty();
    for effect in &contract.effects {
        let Some(timeout) = effect.timeout.given() else {
            continue;
        };
        let tries = effect.tries.or(1);
        let label = effect.label();
        let each = text(timeout.value);
        let said = if tries == 1 {
            format!("{label} {each}")
        } else {
            format!("{label} {tries} × {each}")
        };
        sum.add(
            timeout.value.saturating_mul(tries),
            said.clone(),
            Some(timeout.span),
            said,
        );
    }
    sum
}

/// The last moment an automatic retry can start: lease × max_attempts + backoff.
pub(crate) fn retries(contract: &Contract) -> Option<Sum> {
    let claim = &contract.claim;
    let lease = claim.lease.given()?;
    let attempts = claim.max_attempts.given()?;
    let mut sum = Sum::empty();
    sum.add(
        lease.value.saturating_mul(attempts.value),
        format!(
            "lease {} × max_attempts {}",
            text(lease.value),
            attempts.value
        ),
        Some(lease.span),
        format!("{} attempts of {} each", attempts.value, text(lease.value)),
    );
    match &claim.backoff {
        Setting::Absent => {}
        Setting::Unreadable(_) => return None,
        Setting::Given(backoff) => sum.add(
            backoff.value,
            format!("backoff {}", text(backoff.value)),
            Some(backoff.span),
            format!("and pauses of {} between them", text(backoff.value)),
        ),
    }
    Some(sum)
}

/// How long after the first delivery the event may come again: `redelivers_for` +
/// `dead_letter_for` + `redrive_for`; what the contract does not state is taken from the source
/// table, else as nothing. `None` where no term is known.
pub(crate) fn redelivery(contract: &Contract) -> Option<Sum> {
    let trigger = &contract.trigger;
    let source = known_source(contract);
    let mut sum = Sum::empty();
    for (name, setting, fact) in [
        (
            "redelivers_for",
            &trigger.redelivers_for,
            source.and_then(|source| source.redelivers_for),
        ),
        (
            "dead_letter_for",
            &trigger.dead_letter_for,
            source.and_then(|source| source.dead_letter_for),
        ),
        (
            "redrive_for",
            &trigger.redrive_for,
            source.and_then(|source| source.redrive_for),
        ),
    ] {
        match (setting, source, fact) {
            (Setting::Unreadable(_), _, _) => return None,
            (Setting::Given(given), _, _) => {
                let said = format!("{name} {}", text(given.value));
                sum.add(given.value, said.clone(), Some(given.span), said);
            }
            (Setting::Absent, Some(source), Some(fact)) => sum.add(
                fact.value,
                format!(
                    "{name} {} (documented by {})",
                    text(fact.value),
                    source.title
                ),
                trigger.source.span(),
                documented(name, source, &fact),
            ),
            (Setting::Absent, _, _) => {}
        }
    }
    (!sum.terms.is_empty()).then_some(sum)
}

/// The entry of the source table that the trigger names.
pub(crate) fn known_source(contract: &Contract) -> Option<&'static Source> {
    contract
        .trigger
        .source
        .get()
        .and_then(|name| sources::find(name))
}

fn documented(name: &str, source: &Source, fact: &Fact<Duration>) -> String {
    let note = if fact.note.is_empty() {
        String::new()
    } else {
        format!(", {}", fact.note)
    };
    format!(
        "{} documents {name} = \"{}\"{note} ({}, read {})",
        source.title,
        text(fact.value),
        fact.page,
        fact.checked
    )
}

/// An edit that changes a duration; `None` for one that the format would not read again.
pub(crate) fn set(span: Span, duration: Duration) -> Option<Fix> {
    (duration <= LONGEST).then(|| Fix::replace(span, format!("\"{}\"", text(duration))))
}

/// The longest duration that the format reads.
const LONGEST: Duration = Duration::from_secs(365_000 * 86_400);

/// A duration as a contract writes it: `1d12h`, `30s`, `0s`.
pub(crate) fn text(duration: Duration) -> String {
    let mut rest = duration.as_millis();
    if rest == 0 {
        return "0s".to_owned();
    }
    let mut out = String::new();
    for (unit, size) in [
        ("d", 86_400_000),
        ("h", 3_600_000),
        ("m", 60_000),
        ("s", 1_000),
        ("ms", 1),
    ] {
        let count = rest / size;
        rest %= size;
        if count > 0 {
            out.push_str(&format!("{count}{unit}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LONGEST, set, text};
    use crate::{Span, Window, parse};

    #[test]
    fn a_duration_is_printed_as_a_contract_would_write_it() {
        for (millis, expected) in [
            (0, "0s"),
            (1, "1ms"),
            (1_500, "1s500ms"),
            (30_000, "30s"),
            (129_600_000, "1d12h"),
            (17 * 86_400_000, "17d"),
        ] {
            assert_eq!(text(Duration::from_millis(millis)), expected);
        }
    }

    #[test]
    fn the_longest_duration_is_printed_without_a_panic() {
        assert!(text(Duration::MAX).starts_with("213503982334601d"));
    }

    #[test]
    fn the_longest_duration_is_the_longest_that_the_parser_reads() {
        let window = |duration: Duration| {
            let text = format!("contract = 1\n[claim]\nwindow = \"{}\"\n", text(duration));
            parse(text.as_bytes()).contract.claim.window.get().copied()
        };
        let beyond = LONGEST + Duration::from_millis(1);
        assert_eq!(window(LONGEST), Some(Window::For(LONGEST)));
        assert_eq!(window(beyond), None);
        assert!(set(Span::default(), LONGEST).is_some());
        assert!(set(Span::default(), beyond).is_none());
    }
}
