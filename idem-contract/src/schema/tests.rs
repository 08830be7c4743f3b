//! Schema and decoder are one format: the same tables, keys, words and kinds of values.

use super::*;
use crate::parse::keys::TABLES;
use crate::rules::examples::source;
use crate::{Strategy, parse};

/// The schema's definition of each table that the decoder reads.
const DEFINITIONS: &[(&str, &str)] = &[
    ("", ""),
    ("trigger", "Trigger"),
    ("payload.*", "Field"),
    ("key", "Key"),
    ("key.previous", "PreviousKey"),
    ("request", "Request"),
    ("claim", "Claim"),
    ("effects", "Effect"),
    ("ordering", "Ordering"),
    ("response", "Response"),
    ("dead_letter", "DeadLetter"),
    ("cleanup", "Cleanup"),
    ("upsert", "Upsert"),
    ("entity", "Entity"),
    ("external", "External"),
    ("allow", "Allow"),
];

/// `definition/properties` of a table, as names with their schemas' texts.
fn properties(definition: &str) -> Vec<(String, Schema)> {
    let path = if definition.is_empty() {
        "/properties".to_owned()
    } else {
        format!("/definitions/{definition}/properties")
    };
    let root = root();
    let found = root
        .pointer(&path)
        .and_then(|value| value.as_object())
        .expect("properties");
    (found.iter())
        .map(|(name, schema)| (name.clone(), schema.clone().try_into().expect("a schema")))
        .collect()
}

#[test]
fn schema_and_decoder_name_the_same_keys() {
    assert_eq!(DEFINITIONS.len(), TABLES.len());
    for (table, words) in TABLES {
        let (_, definition) = DEFINITIONS
            .iter()
            .find(|(name, _)| name == table)
            .expect("a definition");
        let mut names: Vec<String> = properties(definition)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let mut words: Vec<&str> = words.to_vec();
        names.sort_unstable();
        words.sort_unstable();
        assert_eq!(names, words, "{table}");
    }
    let root = root();
    let definitions = root
        .pointer("/definitions")
        .and_then(|value| value.as_object());
    // The tables, and the two-way choice between a declaration and a level of names.
    assert_eq!(definitions.map(|map| map.len()), Some(TABLES.len()));
}

/// A contract in which `key` of `table` has the value `value`.
fn written(table: &str, key: &str, value: &str) -> String {
    let base = match table {
        "" => String::new(),
        "payload.*" => "[payload.probe]\n".to_owned(),
        "effects" | "allow" | "key.previous" => format!("[[{table}]]\n"),
        table => format!("[{table}]\n"),
    };
    let line = format!("{key} = {value}\n");
    if table.is_empty() {
        source(&line)
    } else {
        source(&format!("{base}{line}"))
    }
}

/// Whether the decoder says that `key` of `table` should be of another kind.
fn is_refused_as_kind(table: &str, key: &str, value: &str) -> bool {
    let text = written(table, key, value);
    let found = parse(text.as_bytes()).diagnostics;
    assert!(
        !found.iter().any(|found| found.rule == "unknown-field"),
        "{text}\n{found:#?}"
    );
    let place = text.rfind(&format!("{key} = {value}\n")).expect("the line");
    (found.iter()).any(|found| {
        found.rule == "wrong-type"
            && found.span.start >= place
            && found.span.end <= place + key.len() + value.len() + 4
    })
}

/// `type`, or the types of each alternative.
fn kinds(schema: &Schema) -> Vec<String> {
    let value = schema.as_value();
    let alternatives = value.pointer("/anyOf").and_then(|any| any.as_array());
    let types = (alternatives.into_iter().flatten())
        .chain([value])
        .filter_map(|schema| schema.get("type"));
    types
        .flat_map(|kind| match kind.as_array() {
            Some(several) => several.clone(),
            None => vec![kind.clone()],
        })
        .filter_map(|kind| kind.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn schema_and_decoder_want_the_same_kinds_of_values() {
    for (table, definition) in DEFINITIONS {
        for (key, schema) in properties(definition) {
            let text = schema.as_value().to_string();
            if text.contains("$ref") {
                continue;
            }
            let kinds = kinds(&schema);
            for (kind, sample) in [
                ("string", "\"x\""),
                ("integer", "7"),
                ("boolean", "true"),
                ("array", "[\"x\"]"),
            ] {
                // A number may be a whole one; a date stands without quotes.
                let wanted = kinds
                    .iter()
                    .any(|found| found == kind || (kind == "integer" && found == "number"))
                    && !text.contains("\"format\":\"date\"");
                let refused = is_refused_as_kind(table, &key, sample);
                assert_eq!(refused, !wanted, "{table}.{key} = {sample}: {text}");
            }
        }
    }
}

#[test]
fn the_schemas_mandatory_settings_are_those_the_decoder_misses() {
    let missing = |snippet: &str, name: &str| {
        let found = parse(source(snippet).as_bytes()).diagnostics;
        found
            .iter()
            .any(|found| found.rule == "missing-field" && found.path.ends_with(name))
    };
    assert!(missing("[trigger]\nordered = true\n", "trigger.kind"));
    assert!(missing("[[key.previous]]\nuntil = 2027-01-01\n", "fields"));
    assert!(missing("[[effects]]\ntries = 1\n", "kind"));
    assert!(missing(
        "[ordering]\nwhen_stale = \"acknowledge\"\n",
        "version"
    ));
    assert!(missing("[[allow]]\nreason = \"r\"\n", "rule"));
    for name in ["contract", "workflow", "version", "owner", "summary"] {
        assert!(missing(&format!("# without {name}\n"), name));
    }
}

#[test]
fn word_lists_are_the_models() {
    let strategy = properties("")
        .into_iter()
        .find(|(name, _)| name == "strategy");
    let words: Vec<&str> = Strategy::ALL.iter().map(|value| value.as_str()).collect();
    let text = strategy.map(|(_, schema)| schema.to_value().to_string());
    assert!(text.is_some_and(|text| text.contains(&format!("{words:?}").replace(", ", ","))));
}

#[test]
fn the_schema_is_the_same_each_time() {
    assert_eq!(schema(), schema());
    assert!(schema().ends_with("}\n"));
}
