//! A refund webhook, served once however often it fires.
//!
//! Read in this order: the contract (`contracts/refund-order.toml`), [`refund`] (what happens, once),
//! [`books`] (where it is written), [`http`] (who is told what).

pub mod books;
pub mod http;
pub mod refund;
