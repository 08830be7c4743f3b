//! Rust that is generated from data, and the check that it is current.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

mod sources;

const DATA: &str = "idem-contract/data/unstable_sources.toml";
const TABLE: &str = "idem-contract/src/unstable/table.rs";

type Render = fn(&str) -> Result<String, String>;

/// Data file, generated file, and what makes the one of the other.
const TABLES: [(&str, &str, Render); 2] = [
    (DATA, TABLE, unstable_table),
    (sources::DATA, sources::TABLE, sources::table),
];

/// Writes what is generated, or with `check` only compares it.
///
/// **Errors**: a text for the terminal, naming the file and what to do.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let root = root();
    for (data, table, render) in TABLES {
        let wanted = render(&read(&root, data)?).map_err(|error| format!("{data}: {error}"))?;
        if check {
            if read(&root, table)? != wanted {
                return Err(format!("{table} is not current: run `cargo xtask codegen`"));
            }
        } else {
            std::fs::write(root.join(table), wanted)
                .map_err(|error| format!("cannot write {table}: {error}"))?;
        }
    }
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(root: &Path, name: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(name)).map_err(|error| format!("cannot read {name}: {error}"))
}

struct Entry {
    id: String,
    category: &'static str,
    level: &'static str,
    instead: String,
    note: String,
}

/// The kinds of names, each a sorted list in the generated file.
const LISTS: [(&str, &str); 7] = [
    (
        "NAMES",
        "Fields, arguments and contract fields, in lower case with underscores.",
    ),
    ("LAST", "Last segments of calls, paths and methods."),
    ("METHODS", "Methods."),
    ("CALLS", "Free functions."),
    ("MACROS", "Macros."),
    (
        "PAIRS",
        "The last two segments of paths; `A::*` for anything of `A`.",
    ),
    ("TYPES", "Types, alone or before a function."),
];

/// The text of the generated table: a pure function of the data file's text.
fn unstable_table(data: &str) -> Result<String, String> {
    let document = DeTable::parse(data).map_err(|error| error.to_string())?;
    let sources = document
        .get_ref()
        .get("source")
        .and_then(|value| value.get_ref().as_array())
        .ok_or("no [[source]]")?;
    let mut entries = Vec::new();
    let mut lists: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for source in sources.iter() {
        let source = source
            .get_ref()
            .as_table()
            .ok_or("a source is not a table")?;
        let entry = entry(source)?;
        let at = entries.len();
        let ids: &[Entry] = &entries;
        if ids.iter().any(|known| known.id == entry.id) {
            return Err(format!("{}: twice", entry.id));
        }
        let rank = |at: usize| {
            rank(if at == ids.len() {
                entry.level
            } else {
                ids[at].level
            })
        };
        for (list, name) in names(source, &entry.id)? {
            let slot = lists.entry(list).or_default().entry(name).or_insert(at);
            if rank(at) < rank(*slot) {
                *slot = at;
            }
        }
        entries.push(entry);
    }
    render(&entries, &lists)
}

fn entry(source: &DeTable<'_>) -> Result<Entry, String> {
    let id = text(source, "id").ok_or("a source without id")?.to_owned();
    let (category, default) = match text(source, "category") {
        Some("clock") => (
            "Clock",
            "the event's own id; its time belongs into the request hash or is a version",
        ),
        Some("random") => (
            "Random",
            "an id that was made once and stored before the first attempt",
        ),
        Some("position") => ("Position", "the item's own id"),
        Some("environment") => ("Environment", "leave it out: a retry may run anywhere"),
        Some("delivery") => ("Delivery", "the id that is the same on each attempt"),
        Some("lossy") => ("Lossy", "the parts themselves, as a tuple"),
        Some("absent") => (
            "Absent",
            "make the field mandatory and refuse a request without it",
        ),
        Some("stable") => ("Stable", ""),
        other => return Err(format!("{id}: category {other:?}")),
    };
    let level = match text(source, "level") {
        Some("deny") => "Deny",
        Some("warn" | "allow-as-a-whole") => "Warn",
        Some("allow") => "Allow",
        other => return Err(format!("{id}: level {other:?}")),
    };
    Ok(Entry {
        id,
        category,
        level,
        instead: text(source, "instead").unwrap_or(default).to_owned(),
        note: text(source, "note").unwrap_or_default().to_owned(),
    })
}

fn text<'a>(table: &'a DeTable<'_>, key: &str) -> Option<&'a str> {
    table.get(key).and_then(|value| value.get_ref().as_str())
}

fn texts<'a>(table: &'a DeTable<'_>, key: &str, id: &str) -> Result<Vec<&'a str>, String> {
    table
        .get(key)
        .and_then(|value| value.get_ref().as_array())
        .ok_or_else(|| format!("{id}: no {key}"))?
        .iter()
        .map(|value| match value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref()),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => Err(format!("{id}: {key} holds more than text")),
        })
        .collect()
}

/// What one source contributes: (list, name).
fn names(source: &DeTable<'_>, id: &str) -> Result<Vec<(&'static str, String)>, String> {
    let mut out = Vec::new();
    for detect in texts(source, "detect", id)? {
        match detect.split_once(':') {
            None if detect == "path" => {
                for path in texts(source, "paths", id)? {
                    out.extend(path_names(path));
                }
            }
            Some(("path", pattern)) => out.extend(path_names(pattern.trim_start_matches(':'))),
            Some(("last-segment", name)) => out.push(("LAST", name.to_owned())),
            Some(("method", name)) if !name.contains(' ') => out.push(("METHODS", name.to_owned())),
            Some(("call", name)) => out.push(("CALLS", name.to_owned())),
            Some(("macro", name)) => out.push(("MACROS", name.to_owned())),
            Some(("name", list)) => {
                for name in list.split(',') {
                    for spelling in spellings(name) {
                        out.push(("NAMES", spelling));
                    }
                }
            }
            None | Some(_) => {}
        }
    }
    Ok(out)
}

/// A path's last two segments, and its last one too where that is a type.
fn path_names(path: &str) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let fits = path
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '*'));
    if !fits {
        return out;
    }
    let segments: Vec<&str> = path.split("::").collect();
    if let [.., owner, last] = segments.as_slice() {
        out.push(("PAIRS", format!("{owner}::{last}")));
    }
    // A type of two letters (`task::Id`) is everybody's.
    if let Some(last) = segments.last()
        && last.len() > 2
        && last.starts_with(|c: char| c.is_ascii_uppercase())
        && last.contains(|c: char| c.is_ascii_lowercase())
    {
        out.push(("TYPES", (*last).to_owned()));
    }
    out
}

/// `X-GitHub-Delivery` is `x_github_delivery` and `x_git_hub_delivery`, since both are met.
fn spellings(name: &str) -> Vec<String> {
    let flat = name.replace('-', "_").to_ascii_lowercase();
    let mut snake = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let hump = c.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase()
                        && chars.get(at + 1).is_some_and(char::is_ascii_lowercase))
            });
        if hump {
            snake.push('_');
        }
        snake.push(if *c == '-' {
            '_'
        } else {
            c.to_ascii_lowercase()
        });
    }
    if snake == flat {
        vec![flat]
    } else {
        vec![flat, snake]
    }
}

fn rank(level: &str) -> u8 {
    match level {
        "Deny" => 0,
        "Warn" => 1,
        _ => 2,
    }
}

/// Columns of a generated line: several names to a line keep the file readable.
const WIDTH: usize = 97;

fn render(
    entries: &[Entry],
    lists: &BTreeMap<&str, BTreeMap<String, usize>>,
) -> Result<String, String> {
    let mut out = String::from(
        "//! Generated from `data/unstable_sources.toml` by `cargo xtask codegen`; not to be edited.\n\n\
         use super::{Category, Level, Unstable};\n\n\
         const fn entry(\n    id: &'static str,\n    category: Category,\n    level: Level,\n    \
         instead: &'static str,\n    note: &'static str,\n) -> Unstable {\n    \
         Unstable {\n        id,\n        category,\n        level,\n        instead,\n        note,\n    }\n}\n\n\
         /// Every entry, in the order of the data.\n#[rustfmt::skip]\npub(super) static ENTRIES: &[Unstable] = &[\n",
    );
    for entry in entries {
        writeln!(
            out,
            "    entry({:?}, Category::{}, Level::{}, {:?}, {:?}),",
            entry.id, entry.category, entry.level, entry.instead, entry.note
        )
        .map_err(|error| error.to_string())?;
    }
    out.push_str("];\n");
    for (list, doc) in LISTS {
        let empty = BTreeMap::new();
        write!(
            out,
            "\n/// {doc}\n#[rustfmt::skip]\npub(super) static {list}: &[(&str, u16)] = &[\n"
        )
        .map_err(|error| error.to_string())?;
        let mut line = String::new();
        for (name, at) in lists.get(list).unwrap_or(&empty) {
            let item = format!(" ({name:?}, {at}),");
            if line.len() + item.len() > WIDTH {
                let full = std::mem::take(&mut line);
                writeln!(out, "   {full}").map_err(|error| error.to_string())?;
            }
            line.push_str(&item);
        }
        if !line.is_empty() {
            writeln!(out, "   {line}").map_err(|error| error.to_string())?;
        }
        out.push_str("];\n");
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_tables_are_current() {
        run(true).expect("current");
    }

    #[test]
    fn the_strictest_level_of_a_name_counts_then_the_first_entry() {
        let table = unstable_table(
            r#"
            [[source]]
            id = "a"
            category = "clock"
            level = "warn"
            paths = []
            detect = ["name:epoch,X-GitHub-Delivery"]
            [[source]]
            id = "b"
            category = "delivery"
            level = "deny"
            paths = ["std::thread::ThreadId", "a phrase"]
            detect = ["name:epoch", "path", "last-segment:now"]
            "#,
        )
        .expect("well-formed");
        for line in [
            "(\"epoch\", 1),",
            "(\"x_git_hub_delivery\", 0),",
            "(\"x_github_delivery\", 0),",
            "(\"thread::ThreadId\", 1),",
            "(\"ThreadId\", 1),",
            "(\"now\", 1),",
        ] {
            assert!(table.contains(line), "{line} is missing in {table}");
        }
        assert!(!table.contains("phrase"));
    }

    #[test]
    fn a_word_that_the_table_does_not_know_is_named() {
        let error = unstable_table(
            "[[source]]\nid = \"a\"\ncategory = \"clok\"\nlevel = \"deny\"\npaths = []\ndetect = []\n",
        )
        .expect_err("no such category");
        assert!(
            error.contains("a: category") && error.contains("clok"),
            "{error}"
        );
    }
}
