//! `#[idempotent]` and the derives of idem.
