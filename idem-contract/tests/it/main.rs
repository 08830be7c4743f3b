//! Whole contracts, and what every rule together says about them.

mod attribute_key;
mod fixtures;
mod format;
mod key;
mod request;
mod scope;
mod support;
mod worked;
