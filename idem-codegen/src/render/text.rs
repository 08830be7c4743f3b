//! Names and lines as Rust and rustfmt have them.

use std::fmt::Write as _;

/// The widest line that rustfmt leaves on one line.
pub(super) const WIDTH: usize = 100;

/// `refund_order`, of `refund-order`; a keyword gets an underscore, anything else that is not part of
/// a name becomes one.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('_') {
            out.push('_');
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    if is_keyword(&out) {
        out.push('_');
    }
    out
}

/// `RefundOrder`, of `refund-order`, `refund_order` or `refund.order`.
pub(super) fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let mut out = String::with_capacity(name.len());
    for word in words {
        let all_upper = word.len() > 1 && !word.contains(|c: char| c.is_ascii_lowercase());
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            out.push(first.to_ascii_uppercase());
            let rest = chars.as_str();
            out.push_str(&if all_upper {
                rest.to_ascii_lowercase()
            } else {
                rest.to_owned()
            });
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'V');
    }
    if out == "Self" {
        "SelfValue".to_owned()
    } else {
        out
    }
}

/// A payload's member as a field: its name, and whether serde has to be told the wire's.
pub(super) fn field(name: &str) -> (String, bool) {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name != "_"
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    match name {
        "self" | "super" | "crate" => (format!("{name}_"), true),
        keyword if is_keyword(keyword) => (format!("r#{keyword}"), false),
        plain_name if plain => (plain_name.to_owned(), false),
        other => (snake(other), true),
    }
}

/// The same name as SQL has it: an underscore keeps the words apart that a database reserves.
pub(super) fn sql_name(name: &str) -> String {
    /// Words that SQLite or Postgres do not take as a name.
    const RESERVED: &[&str] = &[
        "all",
        "analyse",
        "analyze",
        "and",
        "any",
        "array",
        "as",
        "asc",
        "begin",
        "between",
        "both",
        "case",
        "cast",
        "check",
        "collate",
        "column",
        "commit",
        "constraint",
        "create",
        "cross",
        "current_date",
        "current_time",
        "current_timestamp",
        "current_user",
        "default",
        "deferrable",
        "delete",
        "desc",
        "distinct",
        "do",
        "drop",
        "else",
        "end",
        "escape",
        "except",
        "exists",
        "false",
        "fetch",
        "for",
        "foreign",
        "from",
        "full",
        "grant",
        "group",
        "having",
        "in",
        "index",
        "initially",
        "inner",
        "insert",
        "intersect",
        "into",
        "is",
        "isnull",
        "join",
        "lateral",
        "leading",
        "left",
        "like",
        "limit",
        "natural",
        "not",
        "notnull",
        "null",
        "offset",
        "on",
        "only",
        "or",
        "order",
        "outer",
        "placing",
        "primary",
        "references",
        "returning",
        "right",
        "rollback",
        "row",
        "select",
        "session_user",
        "set",
        "some",
        "symmetric",
        "table",
        "then",
        "to",
        "trailing",
        "transaction",
        "true",
        "union",
        "unique",
        "update",
        "user",
        "using",
        "values",
        "variadic",
        "when",
        "where",
        "window",
        "with",
    ];
    let mut out = snake(name);
    if RESERVED.contains(&out.as_str()) {
        out.push('_');
    }
    out
}

fn is_keyword(name: &str) -> bool {
    syn::parse_str::<syn::Ident>(name).is_err()
        && name.chars().all(|c| c.is_ascii_lowercase())
        && !name.is_empty()
}

/// A string literal.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// A raw string literal, with as many `#` as the text asks for.
pub(super) fn raw(text: &str) -> String {
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// Doc comment lines, wrapped; `mark` is `///` or `//!`.
pub(super) fn doc(out: &mut String, indent: &str, mark: &str, text: &str) {
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{indent}{mark} {}", line.trim_end());
        line.clear();
    };
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + mark.len() + 1 + line.len() + word.len() > WIDTH {
            flush(&mut line, out);
        }
        line.push_str(word);
        line.push(' ');
    }
    flush(&mut line, out);
}

/// A function's head on one line where it fits, otherwise one argument a line.
pub(super) fn head(out: &mut String, before: &str, arguments: &[String], returns: &str) {
    let line = format!("{before}({}) -> {returns} {{", arguments.join(", "));
    if line.len() <= WIDTH {
        let _ = writeln!(out, "{line}");
        return;
    }
    let _ = writeln!(out, "{before}(");
    for argument in arguments {
        let _ = writeln!(out, "    {argument},");
    }
    let _ = writeln!(out, ") -> {returns} {{");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_rusts() {
        assert_eq!(snake("refund-order"), "refund_order");
        assert_eq!(snake("type"), "type_");
        assert_eq!(snake("3d-print"), "_3d_print");
        assert_eq!(sql_name("order"), "order_");
        assert_eq!(sql_name("orders"), "orders");
        assert_eq!(pascal("refund-order"), "RefundOrder");
        assert_eq!(pascal("EUR"), "Eur");
        assert_eq!(pascal("customer.line_items"), "CustomerLineItems");
        assert_eq!(pascal("2fa"), "V2fa");
    }

    #[test]
    fn a_member_keeps_its_name_where_rust_allows_it() {
        assert_eq!(field("refund_id"), ("refund_id".to_owned(), false));
        assert_eq!(field("type"), ("r#type".to_owned(), false));
        assert_eq!(field("self"), ("self_".to_owned(), true));
        assert_eq!(field("refundId"), ("refundid".to_owned(), true));
        assert_eq!(field("event-id"), ("event_id".to_owned(), true));
    }

    #[test]
    fn raw_strings_hold_whatever_they_quote() {
        assert_eq!(raw("{}"), "r#\"{}\"#");
        assert_eq!(raw("\"#\""), "r##\"\"#\"\"##");
    }
}
