#![doc = include_str!("../README.md")]

extern crate self as idem;

pub mod claim;
pub mod desk;
#[cfg(all(
    feature = "drill",
    any(feature = "sqlite", feature = "postgres", feature = "mysql")
))]
pub mod drill;
pub mod edge;
mod effect;
mod error;
mod failure;
mod fence;
mod fingerprint;
pub mod key;
mod observe;
mod operation;
mod outcome;
mod policy;
mod private;
mod probe;
pub mod store;
mod workflow;

pub use idem_macros::{Event, Failure, KeyPart, idempotent};

pub use crate::desk::Sweeper;
pub use crate::effect::{Effect, EffectKind};
pub use crate::error::{Error, StoreError, StoreErrorKind, StoredError, StoredErrorKind};
pub use crate::failure::{Failure, FailureClass};
pub use crate::fence::Fence;
pub use crate::fingerprint::{FieldType, Fingerprint, Hasher};
pub use crate::key::{Key, KeyError, KeyErrorKind, KeyPart};
pub use crate::operation::{Operation, provider_key};
pub use crate::outcome::{Answer, Outcome};
pub use crate::policy::{Busy, Keep, Lease, Mode, Outage, Window};
pub use crate::probe::{Probe, Probed};
pub use crate::store::memory::{self, MemoryStore};
#[cfg(feature = "mysql")]
pub use crate::store::mysql::{self, MysqlStore};
#[cfg(feature = "postgres")]
pub use crate::store::postgres::{self, PostgresStore};
#[cfg(feature = "sqlite")]
pub use crate::store::sqlite::{self, SqliteStore};
pub use crate::store::{Observer, Point, Store, Transaction, TransactionalStore};
pub use crate::workflow::{Recipient, Workflow};

/// What expansions name besides public types. No stability promise.
#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}
