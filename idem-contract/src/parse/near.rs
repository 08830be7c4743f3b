//! Did you mean: the words of a list that are close to what was written.

/// How many words are looked at, and how many of them are measured: a file of a mebibyte may hold
/// tens of thousands of names, and each may be misspelt.
const MAX_WORDS: usize = 256;
const MAX_MEASURED: usize = 128;

/// The one word of `words` that is nearest to `written`, where exactly one is near.
pub(crate) fn nearest<'w>(
    written: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    let length = written.chars().count();
    // Distance is quadratic, and a long text is no misspelt word.
    if length > 64 {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    let mut ties = 0;
    let mut longer: Vec<&str> = Vec::new();
    let mut measured = 0;
    for word in words.into_iter().take(MAX_WORDS) {
        let other = word.chars().count();
        if is_short_for(written, word) {
            longer.push(word);
        }
        let shorter = length.min(other);
        let allowed = (shorter / 3).max(usize::from(shorter >= 3));
        let distance = if is_same_plain(written, word) {
            0
        } else if length.abs_diff(other) > allowed || measured == MAX_MEASURED {
            continue;
        } else {
            measured += 1;
            strsim::damerau_levenshtein(written, word)
        };
        if distance > allowed {
            continue;
        }
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, _)) if distance == least => ties += 1,
            _ => {
                best = Some((distance, word));
                ties = 0;
            }
        }
    }
    match (best, &longer[..]) {
        (Some((_, word)), _) => Some(word).filter(|_| ties == 0),
        (None, [word]) => Some(word),
        (None, _) => None,
    }
}

/// Whether `written` is the beginning of `word` and a good part of it (`int`, `redeliver`), or its
/// plural.
fn is_short_for(written: &str, word: &str) -> bool {
    let begins = |long: &str, short: &str| {
        (long.get(..short.len())).is_some_and(|head| head.eq_ignore_ascii_case(short))
    };
    let is_head = written.len() >= 3 && 5 * written.len() >= 2 * word.len();
    (is_head && begins(word, written))
        || (word.len() >= 3 && begins(written, word) && &written[word.len()..] == "es")
}

/// Whether two words are one but for case and separators: `maxAttempts`, `max-attempts` and
/// `max_attempts` are.
fn is_same_plain(a: &str, b: &str) -> bool {
    fn plain(word: &str) -> impl Iterator<Item = char> {
        (word.chars())
            .filter(|c| !matches!(c, '_' | '-' | ' ' | '.'))
            .flat_map(char::to_lowercase)
    }
    plain(a).eq(plain(b))
}

/// `a`, `b` or `c`, each in back-ticks.
pub(crate) fn listed<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let quoted: Vec<String> = (words.into_iter())
        .map(|word| format!("`{word}`"))
        .collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &[&str] = &["lease", "window", "max_attempts", "backoff", "busy", "mode"];

    #[test]
    fn one_slip_is_near() {
        for (written, meant) in [
            ("laese", "lease"),
            ("leases", "lease"),
            ("Window", "window"),
            ("maxAttempts", "max_attempts"),
            ("max-attempts", "max_attempts"),
            ("max_atempts", "max_attempts"),
            ("mod", "mode"),
        ] {
            assert_eq!(
                nearest(written, WORDS.iter().copied()),
                Some(meant),
                "{written}"
            );
        }
    }

    #[test]
    fn a_beginning_that_only_one_word_has_is_near() {
        const TYPES: &[&str] = &["string", "integer", "boolean", "date", "timestamp"];
        for (written, meant) in [
            ("int", Some("integer")),
            ("bool", Some("boolean")),
            ("Str", Some("string")),
            ("time", Some("timestamp")),
            ("datetime", None),
            ("in", None),
        ] {
            assert_eq!(nearest(written, TYPES.iter().copied()), meant, "{written}");
        }
        assert_eq!(nearest("hashes", ["hash", "ignore"]), Some("hash"));
        assert_eq!(nearest("order", ["order_id", "order_no", "amount"]), None);
        assert_eq!(nearest("éa", ["é"]), None);
    }

    #[test]
    fn other_words_are_not_near() {
        for written in ["ttl", "x", "", "retention", "timeout"] {
            assert_eq!(nearest(written, WORDS.iter().copied()), None, "{written}");
        }
    }

    #[test]
    fn two_words_equally_near_are_no_answer() {
        assert_eq!(nearest("seta", ["set", "beta"]), None);
    }

    #[test]
    fn a_list_reads_as_a_sentence() {
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
