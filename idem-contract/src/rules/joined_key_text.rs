//! # joined-key-text
//!
//! Several values are joined to one text inside the key.
//!
//! ## What it does
//!
//! Reports `format!`, `concat`, `join`, `push_str` and `+` in a key part. Parts belong into a
//! tuple; their limits are then kept in the key's text.
//!
//! ## Why it hurts
//!
//! `1` and `23` joined are the same text as `12` and `3`. A separator helps only until a value
//! contains it: `a-b` and `c` against `a` and `b-c`.
//!
//! ## Bad
//!
//! ```rs
//! #[idempotent(contract = "refund-order", key = (format!("{}{}", event.tenant_id, event.refund_id)))]
//! ```
//!
//! ## Good
//!
//! ```rs
//! #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
//! ```
//!
//! ## Source
//!
//! go-chi/httprate#18: joined without a mark, `aa` and `b` met `a` and `ab`.
//! AzureAD/microsoft-authentication-library-for-js#8705: two sets of parts gave one credential's
//! key.

use crate::{
    Check, Findings, Fixable, Group, KeyExpr, PartKind, Place, Role, Rule, Severity, refusal,
};

pub(super) static JOINED_KEY_TEXT: Rule = Rule {
    id: "joined-key-text",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Attribute, Place::Rust],
    core: false,
    since: "0.1.0",
    fixable: Fixable::Safe,
    source: include_str!("joined_key_text.rs"),
    check: Check::Key(check),
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    // Joining is a shape, and `trust` is the author's word for the shape.
    for part in key.parts.iter().filter(|part| !part.trusted) {
        let joint = part
            .mentions
            .iter()
            .find(|mention| refusal::is_joining(mention));
        let (span, what) = match joint {
            Some(mention) if mention.role == Role::Macro => {
                (mention.span, format!("`{}!`", mention.name))
            }
            Some(mention) => (mention.span, format!("`{}`", mention.name)),
            None if part.kind == PartKind::Joined => (part.span, format!("`{}`", part.name)),
            None => continue,
        };
        findings.report(
            span,
            key.path(part),
            format!("{what} joins several values to one text"),
            "`1` and `23` become the same text as `12` and `3`: two operations share a key",
            "write the values as parts of the tuple: `key = (a, b)`",
        );
    }
}
