//! The table of real sources and providers, as Rust.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use toml::de::{DeTable, DeValue};

use super::{text, texts};

pub(super) const DATA: &str = "idem-contract/data/sources.toml";
pub(super) const TABLE: &str = "idem-contract/src/sources/table.rs";

const HEAD: &str = "\
//! Generated from `data/sources.toml` by `cargo xtask codegen`; not to be edited.

use std::time::Duration;

use super::{Fact, Id, Source, Stability};

const fn fact<T: Copy>(
    value: T,
    page: &'static str,
    checked: &'static str,
    note: &'static str,
) -> Option<Fact<T>> {
    Some(Fact {
        value,
        page,
        checked,
        note,
    })
}

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// Every entry, in the order of the data.
#[rustfmt::skip]
pub static ALL: &[Source] = &[
";

const MEMBERS: [&str; 10] = [
    "name",
    "title",
    "aliases",
    "redelivers_for",
    "dead_letter_for",
    "redrive_for",
    "ordered",
    "key_header",
    "key_lifetime",
    "id",
];

/// The text of the generated table: a pure function of the data file's text.
pub(super) fn table(data: &str) -> Result<String, String> {
    let document = DeTable::parse(data).map_err(|error| error.to_string())?;
    let sources = document
        .get_ref()
        .get("source")
        .and_then(|value| value.get_ref().as_array())
        .ok_or("no [[source]]")?;
    let mut names = BTreeSet::new();
    let mut out = String::from(HEAD);
    for source in sources.iter() {
        let source = source
            .get_ref()
            .as_table()
            .ok_or("a source is not a table")?;
        let name = text(source, "name").ok_or("a source without name")?;
        for known in std::iter::once(name).chain(texts(source, "aliases", name)?) {
            if !names.insert(known.to_owned()) {
                return Err(format!("{name}: `{known}` is the name of two sources"));
            }
        }
        members(source, &MEMBERS, name)?;
        entry(&mut out, source, name)?;
    }
    out.push_str("];\n");
    Ok(out)
}

fn entry(out: &mut String, source: &DeTable<'_>, name: &str) -> Result<(), String> {
    let title = text(source, "title").ok_or_else(|| format!("{name}: no title"))?;
    let aliases = texts(source, "aliases", name)?;
    let mut lines = vec![
        "    Source {".to_owned(),
        format!("        name: {name:?},"),
        format!("        title: {title:?},"),
        format!("        aliases: &{aliases:?},"),
    ];
    for member in ["redelivers_for", "dead_letter_for", "redrive_for"] {
        lines.push(fact(source, member, name, seconds)?);
    }
    lines.push(fact(source, "ordered", name, truth)?);
    lines.push(ids(source, name)?);
    lines.push(fact(source, "key_header", name, quoted)?);
    lines.push(fact(source, "key_lifetime", name, seconds)?);
    lines.push("    },".to_owned());
    for line in lines {
        writeln!(out, "{line}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn members(table: &DeTable<'_>, known: &[&str], name: &str) -> Result<(), String> {
    match table
        .keys()
        .find(|key| !known.contains(&key.get_ref().as_ref()))
    {
        Some(key) => Err(format!("{name}: unknown member `{}`", key.get_ref())),
        None => Ok(()),
    }
}

fn fact(
    source: &DeTable<'_>,
    member: &str,
    name: &str,
    value: fn(&DeValue<'_>) -> Option<String>,
) -> Result<String, String> {
    let Some(table) = source.get(member) else {
        return Ok(format!("        {member}: None,"));
    };
    let wrong = |what: &str| format!("{name}: {member}: {what}");
    let table = table
        .get_ref()
        .as_table()
        .ok_or_else(|| wrong("not a table"))?;
    members(table, &["value", "page", "checked", "note"], name)?;
    let value = table
        .get("value")
        .and_then(|given| value(given.get_ref()))
        .ok_or_else(|| wrong("no value of the right kind"))?;
    let (page, checked) = evidence(table).ok_or_else(|| wrong("no page (https) and day"))?;
    let note = text(table, "note").unwrap_or_default();
    Ok(format!(
        "        {member}: fact({value}, {page:?}, {checked:?}, {note:?}),"
    ))
}

fn ids(source: &DeTable<'_>, name: &str) -> Result<String, String> {
    let mut out = String::from("        ids: &[");
    let ids = source.get("id").map(|value| {
        value
            .get_ref()
            .as_array()
            .ok_or_else(|| format!("{name}: id is not a list"))
    });
    for id in ids.transpose()?.into_iter().flat_map(|ids| ids.iter()) {
        let id = id
            .get_ref()
            .as_table()
            .ok_or_else(|| format!("{name}: an id is not a table"))?;
        members(id, &["field", "stability", "note", "page", "checked"], name)?;
        let field = text(id, "field").ok_or_else(|| format!("{name}: an id without field"))?;
        let stability = match text(id, "stability") {
            Some("stable") => "Stable",
            Some("per-delivery") => "PerDelivery",
            Some("reused") => "Reused",
            Some("not-unique") => "NotUnique",
            other => return Err(format!("{name}: {field}: stability {other:?}")),
        };
        let note = text(id, "note").ok_or_else(|| format!("{name}: {field}: no note"))?;
        let (page, checked) =
            evidence(id).ok_or_else(|| format!("{name}: {field}: no page (https) and day"))?;
        write!(
            out,
            "\n            Id {{ field: {field:?}, stability: Stability::{stability}, note: {note:?}, page: {page:?}, checked: {checked:?} }},"
        )
        .map_err(|error| error.to_string())?;
    }
    out.push_str(if out.ends_with('[') {
        "],"
    } else {
        "\n        ],"
    });
    Ok(out)
}

fn evidence<'a>(table: &'a DeTable<'_>) -> Option<(&'a str, String)> {
    let page = text(table, "page").filter(|page| page.starts_with("https://"))?;
    let checked = match table.get("checked")?.get_ref() {
        DeValue::Datetime(day) if day.date.is_some() && day.time.is_none() => day.to_string(),
        DeValue::Datetime(_)
        | DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => return None,
    };
    Some((page, checked))
}

fn quoted(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(|text| format!("{text:?}"))
}

fn truth(value: &DeValue<'_>) -> Option<String> {
    value.as_bool().map(|truth| truth.to_string())
}

/// `"1d12h"` as `seconds(129600)`.
fn seconds(value: &DeValue<'_>) -> Option<String> {
    let mut total = 0_u64;
    let mut digits = String::new();
    for letter in value.as_str()?.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let size = match letter {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return None,
        };
        total += std::mem::take(&mut digits).parse::<u64>().ok()? * size;
    }
    digits.is_empty().then(|| format!("seconds({total})"))
}

#[cfg(test)]
mod tests {
    use super::table;

    const PAGE: &str = "page = \"https://example.com\", checked = 2026-11-30";

    #[test]
    fn a_value_without_a_page_is_refused() {
        let error = table(
            "[[source]]\nname = \"a\"\ntitle = \"A\"\naliases = []\nredelivers_for = { value = \"3d\", checked = 2026-11-30 }\n",
        )
        .expect_err("no page");
        assert!(error.contains("redelivers_for: no page"), "{error}");
    }

    #[test]
    fn a_name_that_two_sources_go_by_is_refused() {
        let error = table(
            "[[source]]\nname = \"a\"\ntitle = \"A\"\naliases = [\"b\"]\n[[source]]\nname = \"b\"\ntitle = \"B\"\naliases = []\n",
        )
        .expect_err("twice");
        assert!(error.contains("`b` is the name of two sources"), "{error}");
    }

    #[test]
    fn durations_become_seconds() {
        let rust = table(&format!(
            "[[source]]\nname = \"a\"\ntitle = \"A\"\naliases = []\nkey_lifetime = {{ value = \"1d12h\", {PAGE} }}\n"
        ))
        .expect("well-formed");
        assert!(
            rust.contains("key_lifetime: fact(seconds(129600), "),
            "{rust}"
        );
        assert!(rust.contains("redrive_for: None,"), "{rust}");
    }
}
