//! # environment-in-key
//!
//! The machine, the process or the build is part of the key.
//!
//! ## What it does
//!
//! Reports a key part whose origin is `environment`, or whose name belongs to the place where the
//! code runs: `host`, `pid`, `thread_id`, `worker_id`, `pod_name`, `ip`, `git_sha`. In an attribute
//! it reports reads of environment variables, process and thread ids, pointers, and values that
//! differ between two builds.
//!
//! ## Why it hurts
//!
//! A takeover happens exactly when the first machine is gone. The second one, with another name,
//! does not find what the first has claimed.
//!
//! ## Bad
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//! worker_id = { type = "string", origin = "environment" }
//! [key]
//! fields = ["tenant_id", "refund_id", "worker_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [payload]
//! tenant_id = { type = "string", origin = "authenticated" }
//! refund_id = { type = "string", origin = "source-id" }
//! order_id = { type = "string", origin = "business-id" }
//! amount = { type = "integer" }
//! currency = { type = "enum", values = ["EUR", "USD"] }
//!
//! [key]
//! fields = ["tenant_id", "refund_id"]
//! tenant = "tenant_id"
//! ```
//!
//! ## Source
//!
//! suitenumerique/meet#148: a hash that is seeded per process gave three replicas three values.
//! aegra/aegra#547: ownership checked by a worker's name survived the attempt it named.

use crate::refusal::{self, Words};
use crate::{Check, Findings, Fixable, Group, KeyExpr, Place, Rule, Severity};

pub(super) static ENVIRONMENT_IN_KEY: Rule = Rule {
    id: "environment-in-key",
    group: Group::Key,
    severity: Severity::Error,
    places: &[Place::Contract, Place::Attribute, Place::Rust],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("environment_in_key.rs"),
    check: Check::Key(check),
};

const WORDS: Words = Words {
    what: "different on another machine, in another process or build",
    why: "a retry may run anywhere, and there it finds no row",
    instead: "leave it out: the key needs what the event says, not who handles it",
    race: &[
        "worker A: on host a finds no row, refunds, and dies with its host",
        "worker B: on host b finds no row under its own name and refunds again",
    ],
};

fn check(key: &KeyExpr, findings: &mut Findings<'_>) {
    refusal::report(ENVIRONMENT_IN_KEY.id, key, findings, &WORDS);
}
