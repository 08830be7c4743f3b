//! What is believed about the protocol, tried for longer than a test takes.

pub mod search;
pub mod soak;
