//! Did you mean.

/// The known name that `word` is most likely a slip of.
pub(crate) fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    known
        .into_iter()
        .map(|name| (strsim::osa_distance(word, name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// `a`, `b` and `c`, each in backticks.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.pop() {
        None => "none".to_owned(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_near_and_another_word_is_not() {
        let known = ["contract", "key", "lease", "window", "max_attempts"];
        assert_eq!(near("contarct", known), Some("contract"));
        assert_eq!(near("max_attemps", known), Some("max_attempts"));
        assert_eq!(near("leese", known), Some("lease"));
        assert_eq!(near("timeout", known), None);
        assert_eq!(near("k", known), None);
    }

    #[test]
    fn a_list_reads_as_a_sentence() {
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list([]), "none");
    }
}
