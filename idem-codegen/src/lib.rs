//! What `#[idempotent]` writes, and what the text templates are filled with.
