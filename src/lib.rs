//! Idempotency for handlers, webhooks, consumers and jobs.

extern crate self as idem;

mod failure;
mod fingerprint;
pub mod key;

pub use crate::failure::{Failure, FailureClass};
pub use crate::fingerprint::{FieldType, Fingerprint, Hasher};
pub use crate::key::{Key, KeyError, KeyErrorKind, KeyPart};
