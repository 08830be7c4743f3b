//! What a rule is.

use crate::{Contract, Diagnostic, Fix, KeyExpr, Related, Severity, Span};

/// The chapter of the rule list a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What the parser does not accept.
    Format,
    /// What a key is made of.
    Key,
    /// Whom a key is unique for.
    Scope,
    /// Lease, attempts, outage.
    Claim,
    /// Effects and the commit that records them.
    Commit,
    /// Events out of order.
    Order,
    /// Request hash and stored response.
    Request,
    /// Dedupe window and cleanup.
    Window,
    /// What changes between releases, and how parts are wired together.
    Evolution,
    /// Rust and SQL sources.
    Source,
}

impl Group {
    /// The word used in every output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Key => "key",
            Self::Scope => "scope",
            Self::Claim => "claim",
            Self::Commit => "commit",
            Self::Order => "order",
            Self::Request => "request",
            Self::Window => "window",
            Self::Evolution => "evolution",
            Self::Source => "source",
        }
    }
}

/// Where a rule looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// `T`: the contract.
    Contract,
    /// `A`: the attribute, at compile time.
    Attribute,
    /// `R`: Rust source.
    Rust,
    /// `Q`: SQL migrations.
    Sql,
    /// `L`: the lockfile.
    Lock,
}

impl Place {
    /// The letter of the rule list.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Contract => 'T',
            Self::Attribute => 'A',
            Self::Rust => 'R',
            Self::Sql => 'Q',
            Self::Lock => 'L',
        }
    }
}

/// Whether a finding can be mended by an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixable {
    /// No edit.
    No,
    /// An edit that keeps behaviour or adds a missing default.
    Safe,
    /// An edit that changes behaviour.
    Ask,
}

/// A rule: static facts, a page, and at most one check.
#[derive(Debug)]
pub struct Rule {
    /// Kebab-case; equals the file's name, the static's name and the page's name.
    pub id: &'static str,
    /// Its chapter.
    pub group: Group,
    /// How bad a finding is.
    pub severity: Severity,
    /// Where it looks.
    pub places: &'static [Place],
    /// Whether it is one of the core rules.
    pub core: bool,
    /// The release that brought it.
    pub since: &'static str,
    /// Whether an edit can settle it.
    pub fixable: Fixable,
    /// The rule's own source file: its `//!` lines are the page, and the only text about the rule.
    pub source: &'static str,
    /// What it checks.
    pub check: Check,
}

/// What a rule is given.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The whole contract.
    Contract(fn(&Contract, &mut Findings<'_>)),
    /// One key, wherever it was written: in a contract or in an attribute.
    Key(fn(&KeyExpr, &mut Findings<'_>)),
    /// Raised where the fact is seen (the parser, the attribute, the lockfile), by name.
    Elsewhere,
}

/// Collects what one rule finds. A rule cannot choose its own name or severity.
#[derive(Debug)]
pub struct Findings<'a> {
    rule: &'static Rule,
    out: &'a mut Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    /// A collector for `rule` that appends to `out`.
    pub fn new(rule: &'static Rule, out: &'a mut Vec<Diagnostic>) -> Self {
        Self { rule, out }
    }

    /// Adds a finding and hands it back for its optional parts.
    ///
    /// **Units and shapes**: `path` is the dotted path of the node, `message` what is wrong, `why`
    /// one line of reason, `help` one line of what to write instead.
    pub fn report(
        &mut self,
        span: Span,
        path: impl Into<String>,
        message: impl Into<String>,
        why: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.out.push(Diagnostic {
            rule: self.rule.id,
            severity: self.rule.severity,
            span,
            path: path.into(),
            message: message.into(),
            why: why.into(),
            help: help.into(),
            related: Vec::new(),
            interleaving: Vec::new(),
            fix: None,
        });
        let last = self.out.len() - 1;
        &mut self.out[last]
    }
}

impl Diagnostic {
    /// Adds a second label in the same file.
    pub fn also(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.related.push(Related {
            file: None,
            span,
            message: message.into(),
        });
        self
    }

    /// Adds the interleaving that loses money.
    pub fn race(&mut self, steps: &[&'static str]) -> &mut Self {
        self.interleaving = steps.to_vec();
        self
    }

    /// Adds an edit.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fix = Some(fix);
        self
    }

    /// Raises or lowers the severity where the rule list gives one rule two (`open-on-outage`).
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }
}
