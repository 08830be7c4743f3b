//! From the bytes of a file to a contract and everything that is wrong with its format.

mod build;
mod checks;
mod cut;
mod decoder;
mod key_types;
pub(crate) mod keys;
mod lists;
pub(crate) mod near;
mod payload;
mod poison;
mod quantities;
mod strategy;
mod syntax;
mod tables;
pub(crate) mod tree;
pub(crate) mod units;
mod value;

pub(crate) use build::read;
pub(crate) use units::date_text;

use crate::diagnostic::keep_line_breaks;
use crate::{Contract, Diagnostic, Findings, Setting, Span, Spanned, rules};
use decoder::{At, Decoder};
use keys::{Keys, RootKey};
use tree::{Entry, ROOT, Tree, Value};

/// The largest file that is read, in bytes. A contract has a few kilobytes.
pub const MAX_BYTES: usize = 4 << 20;

/// What was understood of a file, and what was not.
#[derive(Debug)]
pub struct Parsed {
    /// Everything that was understood.
    pub contract: Contract,
    /// What the format does not accept, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the file is no contract at all, or one of another format: no rule should be asked.
    pub fatal: bool,
}

/// Reads a contract. It never fails: a file with ten mistakes gives ten diagnostics and the
/// contract without what they are about.
///
/// **Units and shapes**: spans are bytes of `source`, a byte-order mark included.
///
/// # Example
///
/// ```
/// let parsed = idem_contract::parse(b"contract = 1\nworkflow = \"refund-order\"\nversoin = 2\n");
/// assert_eq!(parsed.contract.version.get(), Some(&2));
/// let found = parsed.diagnostics.iter().find(|found| found.rule == "unknown-field");
/// assert!(found.is_some_and(|found| found.help == "did you mean `version`?"));
/// ```
#[must_use]
pub fn parse(source: &[u8]) -> Parsed {
    let mut diagnostics = Vec::new();
    let Some(text) = readable(source, &mut diagnostics) else {
        return fatal(Contract::default(), diagnostics);
    };
    let tree = read(text, &mut diagnostics);
    let root = &tree.tables[ROOT];
    let contract = Contract {
        complete: tree.lost.is_none(),
        root_insert_at: Some(root.insert_at).filter(|&at| at > 0),
        start: text.len() - text.trim_start_matches('\u{feff}').len(),
        end: text.len(),
        ..Contract::default()
    };
    if let Some(because) = no_contract(&tree, text) {
        // What TOML refuses says more than that nothing of a contract is left.
        if diagnostics.is_empty() {
            Findings::new(&rules::MISSING_FIELD, &mut diagnostics)
                .report(
                    Span::new(contract.start, contract.start),
                    "contract",
                    because,
                    "without `contract = 1` nobody can tell what the file means",
                    "start with `contract = 1` and `workflow = \"…\"`; `idem new` writes a whole contract",
                );
        }
        return fatal(contract, diagnostics);
    }
    decode(&tree, text, contract, diagnostics)
}

fn fatal(contract: Contract, diagnostics: Vec<Diagnostic>) -> Parsed {
    Parsed {
        contract,
        diagnostics,
        fatal: true,
    }
}

/// The text of a file, unless it has none.
fn readable<'s>(source: &'s [u8], out: &mut Vec<Diagnostic>) -> Option<&'s str> {
    let (span, message, help) = if source.len() > MAX_BYTES {
        (
            Span::new(0, 0),
            format!("the file has {} bytes", source.len()),
            format!("a contract has a few kilobytes, and at most {MAX_BYTES} are read"),
        )
    } else {
        let error = match std::str::from_utf8(source) {
            Ok(text) => return Some(text),
            Err(error) => error,
        };
        let at = error.valid_up_to();
        let is_utf16 = source.starts_with(&[0xff, 0xfe]) || source.starts_with(&[0xfe, 0xff]);
        (
            Span::new(at, at + error.error_len().unwrap_or(source.len() - at)),
            if is_utf16 {
                "the file is UTF-16".to_owned()
            } else {
                format!("byte {at} is not UTF-8")
            },
            "save the file as UTF-8".to_owned(),
        )
    };
    Findings::new(&rules::UNREADABLE_FILE, out).report(
        span,
        "",
        message,
        "a contract is UTF-8 text; nothing of this file was checked",
        help,
    );
    None
}

/// Why the file is no contract at all: none of its names is one of the format's.
fn no_contract(tree: &Tree<'_>, text: &str) -> Option<&'static str> {
    let root = &tree.tables[ROOT];
    let known = (root.entries.iter()).any(|entry| RootKey::from_word(&entry.key).is_some());
    if known {
        None
    } else if root.entries.is_empty() && text.trim_start_matches('\u{feff}').trim().is_empty() {
        Some("the file is empty")
    } else {
        Some("nothing in this file belongs to a contract")
    }
}

fn decode<'s>(
    tree: &Tree<'s>,
    text: &'s str,
    mut contract: Contract,
    diagnostics: Vec<Diagnostic>,
) -> Parsed {
    let mut decoder = Decoder {
        tree,
        source: text,
        out: diagnostics,
        misplaced: Vec::new(),
    };
    decoder.root(&mut contract);
    let supported = !(decoder.out.iter()).any(|found| found.rule == rules::UNSUPPORTED_FORMAT.id);
    if supported {
        let misplaced = std::mem::take(&mut decoder.misplaced);
        for found in misplaced {
            poison::apply(&mut contract, &found);
        }
        if let Some(span) = tree.lost {
            poison::Poison::poison(&mut contract, span);
        }
        decoder.check(&mut contract);
    } else {
        (decoder.out).retain(|found| found.rule == rules::UNSUPPORTED_FORMAT.id);
    }
    let mut diagnostics = decoder.out;
    keep_line_breaks(text.as_bytes(), &mut diagnostics);
    diagnostics.sort_by(|a, b| (a.span, a.rule).cmp(&(b.span, b.rule)));
    Parsed {
        contract,
        diagnostics,
        fatal: !supported,
    }
}

impl<'t, 's> Decoder<'t, 's> {
    fn root(&mut self, contract: &mut Contract) {
        let at = At::of("");
        self.each(ROOT, at, |this, key, entry: &'t Entry<'s>| match key {
            RootKey::Contract => contract.format = this.format(entry),
            RootKey::Workflow => contract.workflow = this.name(at, entry),
            RootKey::Version => contract.version = this.count(at, entry),
            RootKey::Owner => contract.owner = this.string(at, entry),
            RootKey::Summary => contract.summary = this.string(at, entry),
            RootKey::Strategy => contract.strategy = this.word(at, entry),
            RootKey::Trigger => contract.trigger = this.trigger(entry),
            RootKey::Payload => this.payload(entry, contract),
            RootKey::Key => contract.key = this.key(entry),
            RootKey::Request => contract.request = this.request(entry),
            RootKey::Claim => contract.claim = this.claim(entry),
            RootKey::Effects => {
                let (ids, complete) = this.many_tables(entry, "effects");
                contract.complete &= complete;
                contract.effects = (ids.into_iter().zip(1..))
                    .map(|(id, number)| this.effect(id, number))
                    .collect();
            }
            RootKey::Ordering => contract.ordering = this.ordering(entry),
            RootKey::Response => contract.response = this.response(entry),
            RootKey::DeadLetter => contract.dead_letter = this.dead_letter(entry),
            RootKey::Cleanup => contract.cleanup = this.cleanup(entry),
            RootKey::Upsert => contract.upsert = this.upsert(entry),
            RootKey::Entity => contract.entity = this.entity(entry),
            RootKey::External => contract.external = this.external(entry),
            RootKey::Allow => {
                let (ids, _) = this.many_tables(entry, "allow");
                contract.allows = ids.into_iter().map(|id| this.allow(id)).collect();
            }
        });
    }

    /// `contract = 1`.
    fn format(&mut self, entry: &Entry<'_>) -> Setting<u32> {
        let span = entry.node.span;
        let Value::Integer(number) = &entry.node.value else {
            return self.count(At::of(""), entry);
        };
        if *number == Some(1) {
            return Setting::Given(Spanned::new(1, span));
        }
        let written = self.source.get(span.start..span.end).unwrap_or_default();
        self.report(
            &rules::UNSUPPORTED_FORMAT,
            span,
            "contract".to_owned(),
            format!("version {written} of the contract format is not known"),
            "another version may give the same words another meaning, so nothing else is read",
            "write `contract = 1`, or use a release of idem that knows this version",
        );
        Setting::Unreadable(span)
    }
}

#[cfg(test)]
mod tests;
