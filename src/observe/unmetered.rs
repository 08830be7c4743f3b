//! Without the feature `metrics` nothing is counted.

use std::time::Duration;

use crate::desk::LetterKind;
use crate::store::Request;

pub(super) const fn claim(_workflow: &'static str, _outcome: &'static str) {}
pub(super) const fn request(_request: &Request) {}
pub(super) const fn handled(_workflow: &'static str, _took: Duration) {}
pub(super) const fn ended(_workflow: &'static str, _how: &'static str) {}
pub(super) const fn conflict(_workflow: &'static str) {}
pub(super) const fn unanswered(_workflow: &'static str, _effect: &'static str) {}
pub(super) const fn letter(_workflow: &str, _kind: LetterKind) {}
pub(super) const fn settled(_workflow: &str, _act: &str) {}
pub(super) const fn swept(_rows: u64, _took: Duration) {}
