//! Every rule, once. A rule is one file, one `mod` line and one entry in [`ALL`].

use crate::Rule;

/// Every rule, in the order of the rule list.
pub static ALL: &[&Rule] = &[];
