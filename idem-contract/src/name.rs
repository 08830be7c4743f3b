//! Names, cut into words and compared whatever their spelling.

use std::borrow::Cow;

/// The last segment of a dotted name, tuple positions left out: `attempt` of `delivery.attempt.0`.
pub(crate) fn last_segment(name: &str) -> &str {
    name.rsplit('.')
        .find(|segment| !is_tuple_position(segment))
        .unwrap_or(name)
}

/// Whether a segment is the `0` of `id.0`.
pub(crate) fn is_tuple_position(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// The last segment in lower case with underscores: `created_at` of `order.createdAt`.
pub(crate) fn plain(name: &str) -> Cow<'_, str> {
    snake(last_segment(name))
}

/// The last word of a name: `amount` of `order.refundAmount`.
pub(crate) fn last_word(name: &str) -> String {
    let plain = plain(name);
    plain.rsplit('_').next().unwrap_or_default().to_owned()
}

/// `X-GitHub-Delivery` and `x-github-delivery` are `x_github_delivery`.
pub(crate) fn flat(name: &str) -> Cow<'_, str> {
    if name.contains(is_marked) {
        Cow::Owned(name.replace('-', "_").to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// `receiptHandle`, `ReceiptHandle` and `Receipt-Handle` are `receipt_handle`; `traceID` is `trace_id`.
pub(crate) fn snake(name: &str) -> Cow<'_, str> {
    if !name.contains(is_marked) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = '_';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '-' {
            out.push('_');
        } else {
            let hump = c.is_ascii_uppercase()
                && (before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase()
                        && chars.peek().is_some_and(char::is_ascii_lowercase)));
            if hump {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    Cow::Owned(out)
}

/// A name as a TOML basic string, quotes included.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn is_marked(c: char) -> bool {
    c == '-' || c.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_compared_by_its_last_segment_in_any_spelling() {
        assert_eq!(plain("order.createdAt"), "created_at");
        assert_eq!(plain("headers.X-Request-Id"), "x_request_id");
        assert_eq!(plain("delivery.attempt.0"), "attempt");
        assert_eq!(plain("0"), "0");
        assert_eq!(last_word("order.refundAmount"), "amount");
        assert_eq!(last_word("amount"), "amount");
        assert_eq!(snake("traceID"), "trace_id");
        assert_eq!(snake("JMSXDeliveryCount"), "jmsx_delivery_count");
        assert_eq!(flat("X-GitHub-Delivery"), "x_github_delivery");
    }

    #[test]
    fn a_quoted_name_is_toml() {
        assert_eq!(quoted("order.id"), "\"order.id\"");
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000A\"");
    }
}
