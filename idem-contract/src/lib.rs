//! The contract of an idempotent workflow: its model, its parser, its rules.
//!
//! This crate is pure. It reads no file, no clock, no environment and knows neither `syn` nor a
//! database driver; a contract comes in as text and diagnostics come out as values.

mod diagnostic;
mod key_expr;
mod ladder;
mod lint;
mod location;
pub mod lock;
mod model;
mod name;
mod parse;
mod personal;
mod refusal;
mod rule;
pub mod rules;
#[cfg(feature = "schema")]
mod schema;
pub mod sources;
mod span;
#[cfg(test)]
mod testing;
mod timing;
pub mod unstable;
mod volatile;

pub use diagnostic::{Diagnostic, Edit, Fix, Related, Severity};
pub use key_expr::{
    Declared, KeyExpr, KeyPlace, MAX_KEY_BYTES, Mention, Part, PartKind, Role, key_expr,
};
pub use lint::{LintOptions, Linted, is_silenced, lint, lint_set};
pub use location::{LineIndex, Position};
pub use model::{
    Allow, BusyPolicy, Change, Claim, Cleanup, Contract, DeadLetter, DefaultValue, Effect,
    EffectKind, Entity, EntityMemory, External, Field, FieldType, HashSpec, Header, Keep, Key,
    Mode, OnAmbiguous, Ordering, Origin, Outage, PreviousKey, Request, Response, Setting, Strategy,
    TableStyle, Trigger, TriggerKind, Upsert, Window,
};
pub use parse::{MAX_BYTES, Parsed, parse};
pub use rule::{Check, Findings, Fixable, Group, Place, Rule};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use span::{Span, Spanned};
