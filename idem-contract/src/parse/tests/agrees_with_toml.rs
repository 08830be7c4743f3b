//! The tree against the `toml` crate: the same documents are accepted, and mean the same.

use proptest::prelude::*;
use toml::de::{DeTable, DeValue};

use crate::parse::read;
use crate::parse::tree::{ROOT, TableId, Tree, Value};

/// One line for each key and value, in the order of the keys.
fn ours(tree: &Tree<'_>, table: TableId) -> String {
    let mut entries: Vec<_> = tree.tables[table].entries.iter().collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    let inner: Vec<String> = (entries.into_iter())
        .map(|entry| format!("{:?}={}", entry.key, our_value(tree, &entry.node.value)))
        .collect();
    format!("{{{}}}", inner.join(","))
}

fn our_value(tree: &Tree<'_>, value: &Value<'_>) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => format!("{number:?}"),
        Value::Float => "float".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Date(_) | Value::DateTime => "date".to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| our_value(tree, &item.value))
                .collect();
            format!("[{}]", items.join(","))
        }
        Value::Tables(ids) => {
            let items: Vec<String> = ids.iter().map(|&id| ours(tree, id)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Table(id) => ours(tree, *id),
        Value::Broken => "broken".to_owned(),
    }
}

fn theirs(table: &DeTable<'_>) -> String {
    let inner: Vec<String> = (table.iter())
        .map(|(key, value)| format!("{:?}={}", key.get_ref(), their_value(value.get_ref())))
        .collect();
    format!("{{{}}}", inner.join(","))
}

fn their_value(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => {
            format!(
                "{:?}",
                i64::from_str_radix(number.as_str(), number.radix()).ok()
            )
        }
        DeValue::Float(_) => "float".to_owned(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(_) => "date".to_owned(),
        DeValue::Array(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| their_value(item.get_ref()))
                .collect();
            format!("[{}]", items.join(","))
        }
        DeValue::Table(table) => theirs(table),
    }
}

fn compare(text: &str) -> Result<(), TestCaseError> {
    let mut found = Vec::new();
    let tree = read(text, &mut found);
    match DeTable::parse(text) {
        Ok(table) => {
            prop_assert!(found.is_empty(), "refused: {text:?}: {found:?}");
            prop_assert_eq!(ours(&tree, ROOT), theirs(table.get_ref()), "{:?}", text);
        }
        Err(error) => prop_assert!(!found.is_empty(), "accepted: {text:?}: {error}"),
    }
    Ok(())
}

const LINES: &[&str] = &[
    "a = 1",
    "b = \"x\"",
    "a.b = 1",
    "a.c.d = true",
    "\"a.b\" = 2",
    "'q' = 'x'",
    "\"\" = 1",
    "[a]",
    "[b]",
    "[a.b]",
    "[a.b.c]",
    "[[a]]",
    "[[a.b]]",
    "[ a . b ]",
    "[[b]]",
    "[\"\"]",
    "[a.\"\"]",
    "b = { }",
    "b = { x = 1 }",
    "b = { x.y = 1, x.z = 2 }",
    "b = {x={y={}},}",
    "c = [1, 2,]",
    "c = [",
    "1,",
    "]",
    "c = [[1], [\"a\"]]",
    "c = [{ a = 1 }, { b = 2 }]",
    "{ a = 1 },",
    "d = 2027-03-01",
    "d = 1.5",
    "d = -0x1",
    "d = 0xff",
    "d = 1e3",
    "d = inf",
    "d = 9223372036854775808",
    "e = \"\"\"",
    "\"\"\"",
    "e = '''x'''",
    "# comment",
    "",
    "   ",
    "\t",
    "x",
    "= 1",
    "y =",
    "y = 1 2",
    "z = [1 2]",
    "z = { a = 1 b = 2 }",
    "z = { a = 1, a = 2 }",
    "z = }",
    "z = ]",
    "[",
    "]",
    "[[c]",
    "[c",
    "c]",
    "f = \"\\u00e9\"",
    "f = \"\\q\"",
    "g = yes",
    "g = 30s",
    "h = { a = 1,",
    "b = 2 }",
    "b = 2",
    "x = [",
    "[x.y]",
    "true = 1",
    "1 = 1",
    "1.2 = 3",
    "a-b_c = 1",
    "é = 1",
    "k = \"a\" # c",
    "k = 'a",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn on_documents_made_of_lines(
        lines in prop::collection::vec(prop::sample::select(LINES), 0..9),
        crlf: bool,
    ) {
        compare(&lines.join(if crlf { "\r\n" } else { "\n" }))?;
    }

    #[test]
    fn on_documents_made_of_tokens(
        tokens in prop::collection::vec(
            prop::sample::select(&[
                "a", "b", ".", "=", " ", "\n", "[", "]", "{", "}", ",", "1", "\"x\"", "true", "#c", "[[", "]]",
            ][..]),
            0..24,
        ),
    ) {
        compare(&tokens.concat())?;
    }
}

#[test]
fn on_the_reference_contract() -> Result<(), TestCaseError> {
    compare(crate::parse::tests::REFERENCE)
}
