//! What the linter says, as values.

use crate::Span;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Fails.
    Error,
    /// Fails with `--strict`.
    Warn,
    /// Never fails.
    Info,
}

impl Severity {
    /// The word used in every output: `error`, `warn`, `info`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
        }
    }
}

/// One finding: where, what, why, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's id, such as `clock-in-key`.
    pub rule: &'static str,
    /// How bad it is; taken from the rule, never decided at the place of the finding.
    pub severity: Severity,
    /// The offending text.
    pub span: Span,
    /// The dotted path of the node it is about (`claim.lease`, `effects.receipt-mail.tries`,
    /// `payload.amount`): stable when lines move.
    pub path: String,
    /// What is wrong, in one line.
    pub message: String,
    /// Why it hurts, in one line.
    pub why: String,
    /// What to write instead, in one line.
    pub help: String,
    /// Second labels: the other number, the other file.
    pub related: Vec<Related>,
    /// For a race: the shortest interleaving that loses money, one line a step
    /// (`worker A: reads no row`, `worker B: …`). Empty for everything else.
    pub interleaving: Vec<&'static str>,
    /// An edit that would settle it.
    pub fix: Option<Fix>,
}

/// A second place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Another file, or `None` for the file of the finding.
    pub file: Option<String>,
    /// Where.
    pub span: Span,
    /// What to see there.
    pub message: String,
}

/// An edit of the source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether it keeps behaviour; otherwise it is applied by `--unsafe-fixes` alone.
    pub safe: bool,
    /// Replacements, in bytes of the original text, not overlapping.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A safe edit that puts `text` at byte `at`.
    #[must_use]
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(Span::new(at, at), text)
    }

    /// A safe edit that puts `text` where `span` is.
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self {
            safe: true,
            edits: vec![Edit {
                span,
                text: text.into(),
            }],
        }
    }

    /// The same edit, but one that changes behaviour: applied by `--unsafe-fixes` alone.
    #[must_use]
    pub fn ask(mut self) -> Self {
        self.safe = false;
        self
    }
}

/// Gives the edits of `found` the line breaks of the file they go into.
pub(crate) fn keep_line_breaks(source: &[u8], found: &mut [Diagnostic]) {
    let is_crlf = (source.iter().position(|byte| *byte == b'\n'))
        .is_some_and(|at| at > 0 && source[at - 1] == b'\r');
    if !is_crlf {
        return;
    }
    for fix in found.iter_mut().filter_map(|finding| finding.fix.as_mut()) {
        for edit in &mut fix.edits {
            edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
    }
}

/// Replaces `span` by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes away; empty to insert.
    pub span: Span,
    /// What comes instead.
    pub text: String,
}
