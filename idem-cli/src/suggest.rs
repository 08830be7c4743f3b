//! Did you mean.

/// The candidate nearest to `word`, when one is near enough to be what was meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_a_strange_word_is_not() {
        let rules = ["clock-in-key", "missing-lease"];
        assert_eq!(nearest("clok-in-key", rules), Some("clock-in-key"));
        assert_eq!(nearest("banana", rules), None);
    }
}
