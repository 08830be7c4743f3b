//! The lockfile as text, and back.

use std::fmt;
use std::time::Duration;

use super::{Lock, Locked, LockedField};
use crate::parse::tree::{self, ROOT, Table, Tree, Value};
use crate::parse::{read, units};
use crate::{Diagnostic, Findings, Span, Window, name, rules};

/// The version of the lockfile's own format.
const FORMAT: i64 = 1;

impl fmt::Display for Lock {
    /// The same contracts give the same bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "# What the stored keys of each workflow are made of. Written by `idem lock`: commit it,\n\
             # and let reviews see what changes. Not to be edited by hand.\n",
        )?;
        writeln!(f, "lock = {FORMAT}")?;
        for locked in &self.workflows {
            f.write_str("\n[[workflow]]\n")?;
            writeln!(f, "name = {}", name::quoted(&locked.name))?;
            writeln!(f, "version = {}", locked.version)?;
            if let Some(consumer) = &locked.consumer {
                writeln!(f, "consumer = {}", name::quoted(consumer))?;
            }
            write_fields(f, "key", &locked.key)?;
            write_fields(f, "hash", &locked.hash)?;
            match locked.window {
                None => {}
                Some(Window::Forever) => f.write_str("window = \"forever\"\n")?,
                Some(Window::For(window)) => writeln!(f, "window = \"{}\"", duration(window))?,
            }
        }
        Ok(())
    }
}

fn write_fields(f: &mut fmt::Formatter<'_>, name: &str, fields: &[LockedField]) -> fmt::Result {
    if fields.is_empty() {
        return writeln!(f, "{name} = []");
    }
    writeln!(f, "{name} = [")?;
    for field in fields {
        writeln!(
            f,
            "    {},",
            name::quoted(&format!("{}: {}", field.name, field.kind))
        )?;
    }
    f.write_str("]\n")
}

/// `30d`, `1d12h`: the largest units first, none left out in between.
fn duration(duration: Duration) -> String {
    let mut rest = duration.as_millis();
    let mut out = String::new();
    for (unit, ms) in [
        ("d", 24 * 60 * 60 * 1000),
        ("h", 60 * 60 * 1000),
        ("m", 60 * 1000),
        ("s", 1000),
        ("ms", 1),
    ] {
        if rest >= ms {
            out.push_str(&format!("{}{unit}", rest / ms));
            rest %= ms;
        }
    }
    if out.is_empty() {
        out.push_str("0s");
    }
    out
}

impl Lock {
    /// Reads a lockfile.
    ///
    /// **Errors**: what the text says that no lockfile says, as findings of `stale-lock` with places
    /// in `text`. A lockfile is read whole or not at all, because half of it would look like
    /// workflows that are gone.
    ///
    /// # Errors
    ///
    /// The findings, at least one.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader { out: Vec::new() };
        let mut syntax = Vec::new();
        let tree = read(text, &mut syntax);
        for error in syntax {
            reader.refuse(error.span, error.message);
        }
        let lock = reader.lock(&tree);
        if reader.out.is_empty() {
            Ok(lock)
        } else {
            reader.out.sort_by_key(|finding| finding.span);
            Err(reader.out)
        }
    }
}

struct Reader {
    out: Vec<Diagnostic>,
}

impl Reader {
    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        Findings::new(&rules::STALE_LOCK, &mut self.out).report(
            span,
            "",
            message,
            "a lockfile that cannot be read remembers nothing",
            "take the last committed version back and run `idem lock`",
        );
    }

    fn lock(&mut self, tree: &Tree<'_>) -> Lock {
        let mut lock = Lock::default();
        let root = &tree.tables[ROOT];
        let mut format = None;
        for entry in &root.entries {
            match (&*entry.key, &entry.node.value) {
                ("lock", Value::Integer(Some(FORMAT))) => format = Some(FORMAT),
                ("lock", Value::Integer(_)) => {
                    self.refuse(entry.node.span, "this lockfile is of another version");
                    return lock;
                }
                ("workflow", Value::Tables(ids)) => {
                    for &id in ids {
                        if let Some(locked) = self.workflow(&tree.tables[id]) {
                            lock.workflows.push(locked);
                        }
                    }
                }
                (_, Value::Broken) => {}
                (key, _) => {
                    let message = format!("`{key}` is nothing that a lockfile says");
                    self.refuse(entry.key_span, message);
                }
            }
        }
        if format.is_none() && self.out.is_empty() {
            self.refuse(
                Span::default(),
                format!("the lockfile does not start with `lock = {FORMAT}`"),
            );
        }
        lock.workflows.sort_by(|a, b| a.name.cmp(&b.name));
        for pair in lock.workflows.windows(2) {
            if pair[0].name == pair[1].name {
                self.refuse(
                    pair[1].span,
                    format!("`{}` stands here twice", pair[1].name),
                );
            }
        }
        lock
    }

    fn workflow(&mut self, table: &Table<'_>) -> Option<Locked> {
        let mut name = None;
        let mut version = None;
        let mut locked = Locked {
            name: String::new(),
            version: 0,
            consumer: None,
            key: Vec::new(),
            hash: Vec::new(),
            window: None,
            span: table.span,
        };
        for entry in &table.entries {
            match (&*entry.key, &entry.node.value) {
                ("name", Value::String(text)) => {
                    name = Some(text.to_string());
                    locked.span = entry.node.span;
                }
                ("version", Value::Integer(Some(number))) => version = u32::try_from(*number).ok(),
                ("consumer", Value::String(text)) => locked.consumer = Some(text.to_string()),
                ("key", Value::Array(items)) => {
                    locked.key = items.iter().filter_map(|item| self.field(item)).collect();
                }
                ("hash", Value::Array(items)) => {
                    locked.hash = items.iter().filter_map(|item| self.field(item)).collect();
                }
                ("window", Value::String(text)) => match window(text) {
                    Some(window) => locked.window = Some(window),
                    None => self.refuse(entry.node.span, format!("`{text}` is not a window")),
                },
                (_, Value::Broken) => return None,
                (key, _) => {
                    let message = format!("`{key}` is nothing that a lockfile says of a workflow");
                    self.refuse(entry.key_span, message);
                }
            }
        }
        let (Some(name), Some(version)) = (name, version) else {
            self.refuse(table.span, "an entry without `name` and `version`");
            return None;
        };
        Some(Locked {
            name,
            version,
            ..locked
        })
    }

    fn field(&mut self, item: &tree::Node<'_>) -> Option<LockedField> {
        let text = if let Value::String(text) = &item.value {
            text
        } else {
            ""
        };
        let Some((name, kind)) = text.rsplit_once(": ") else {
            self.refuse(item.span, "a field is written as `\"name: type\"`");
            return None;
        };
        Some(LockedField {
            name: name.to_owned(),
            kind: kind.to_owned(),
        })
    }
}

fn window(text: &str) -> Option<Window> {
    if text == "forever" {
        return Some(Window::Forever);
    }
    units::duration(text).ok().map(Window::For)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_in_their_largest_units() {
        for (ms, text) in [
            (0, "0s"),
            (1500, "1s500ms"),
            (2_592_000_000, "30d"),
            (129_600_000, "1d12h"),
        ] {
            assert_eq!(duration(Duration::from_millis(ms)), text);
            assert_eq!(units::duration(text), Ok(Duration::from_millis(ms)));
        }
    }

    #[test]
    fn names_of_any_kind_survive() {
        let field = |name: &str| LockedField {
            name: name.to_owned(),
            kind: "string".to_owned(),
        };
        let lock = Lock {
            workflows: vec![Locked {
                name: "a".to_owned(),
                version: 1,
                consumer: Some("b".to_owned()),
                key: vec![
                    field("customer.id"),
                    field("a\"b\\c: d"),
                    field("\u{1}\t\u{7f}é\u{85}"),
                ],
                hash: Vec::new(),
                window: Some(Window::Forever),
                span: Span::default(),
            }],
        };
        assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
    }

    #[test]
    fn what_no_lockfile_says_is_refused_with_its_place() {
        for (text, said) in [
            ("", "the lockfile does not start with `lock = 1`"),
            ("lock = 2\n", "this lockfile is of another version"),
            (
                "lock = 1\nfoo = 1\n",
                "`foo` is nothing that a lockfile says",
            ),
            (
                "lock = 1\n[[workflow]]\nversion = 1\n",
                "an entry without `name` and `version`",
            ),
            (
                "lock = 1\n[[workflow]]\nname = \"a\"\nversion = 1\nkey = [\"x\"]\n",
                "a field is written as `\"name: type\"`",
            ),
            (
                "lock = 1\n[[workflow]]\nname = \"a\"\nversion = 1\nwindow = \"x\"\n",
                "`x` is not a window",
            ),
            (
                "lock = 1\n[[workflow]]\nname = \"a\"\nversion = 1\n[[workflow]]\nname = \"a\"\nversion = 2\n",
                "`a` stands here twice",
            ),
            (
                "lock = 1\n<<<<<<< HEAD\n",
                "a merge conflict was left in the file",
            ),
        ] {
            let found = Lock::parse(text).expect_err(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].message, said, "{text}");
            assert_eq!(found[0].rule, "stale-lock");
        }
    }
}
