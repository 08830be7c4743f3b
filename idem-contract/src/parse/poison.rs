//! Makes what is absent unreadable where the text that may have held it was refused.

use super::decoder::Misplaced;
use crate::{
    Allow, Claim, Cleanup, Contract, DeadLetter, Effect, Entity, External, Key, Ordering,
    PreviousKey, Request, Response, Setting, Span, Trigger, Upsert,
};

pub(super) trait Poison {
    /// Turns every absent setting into one that could not be read, at `span`.
    fn poison(&mut self, span: Span);

    /// The same for the setting of that name alone, where there is one.
    fn poison_one(&mut self, _name: &str, _span: Span) {}
}

impl<T> Poison for Setting<T> {
    fn poison(&mut self, span: Span) {
        if self.is_absent() {
            *self = Self::Unreadable(span);
        }
    }
}

macro_rules! poison {
    ($($name:ident { $($setting:ident),+; $($kept:ident),* })+) => { $(
        impl Poison for $name {
            fn poison(&mut self, span: Span) {
                let Self { $($setting),+, $($kept: _),* } = self;
                $($setting.poison(span);)+
            }

            fn poison_one(&mut self, name: &str, span: Span) {
                $(if name == stringify!($setting) {
                    self.$setting.poison(span);
                })+
            }
        }
    )+ };
}

poison! {
    Trigger {
        kind, source, redelivers_for, dead_letter_for, redrive_for, ordered, repeats, events,
        fan_out, consumer; header
    }
    Key { fields, tenant; header, previous }
    PreviousKey { version, fields, until; header }
    Request { hash, ignore; header }
    Claim { lease, window, max_attempts, backoff, heartbeat, busy, outage, mode; header }
    Effect {
        name, kind, store, target, change, key_header, provider, key_lifetime, timeout, tries,
        on_ambiguous, probe; header
    }
    Ordering { entity, version, tie_breaker, when_stale; header }
    Response { keep, max_bytes, redact; header }
    DeadLetter { owner, channel, deadline; header }
    Cleanup { every, batch; header }
    Upsert { conflict_target; header }
    Entity { field, memory; header }
    External { store; header }
    Allow { rule, field, reason, until; header }
    Contract {
        format, workflow, version, owner, summary, strategy, trigger, key, request, claim,
        ordering, response, dead_letter, cleanup, upsert, entity, external;
        payload_header, payload, effects, allows, complete, root_insert_at, start, end
    }
}

/// Applies what was found outside of its table to the table of that name. Where the setting is
/// known, the others of its table are still missed.
pub(super) fn apply(contract: &mut Contract, found: &Misplaced) {
    let span = found.span;
    if let Some(name) = found.name {
        one(contract, found.table, name, span);
        return;
    }
    match found.table {
        "" => {
            contract.format.poison(span);
            contract.workflow.poison(span);
            contract.version.poison(span);
            contract.owner.poison(span);
            contract.summary.poison(span);
            contract.strategy.poison(span);
        }
        "trigger" => contract.trigger.poison(span),
        "key" => contract.key.poison(span),
        "key.previous" => {
            for previous in &mut contract.key.previous {
                previous.poison(span);
            }
        }
        "request" => contract.request.poison(span),
        "claim" => contract.claim.poison(span),
        "ordering" => contract.ordering.poison(span),
        "response" => contract.response.poison(span),
        "dead_letter" => contract.dead_letter.poison(span),
        "cleanup" => contract.cleanup.poison(span),
        "upsert" => contract.upsert.poison(span),
        "entity" => contract.entity.poison(span),
        "external" => contract.external.poison(span),
        "effects" | "payload" => contract.complete = false,
        _ => {}
    }
}

fn one(contract: &mut Contract, table: &str, name: &str, span: Span) {
    match (table, name) {
        ("", "contract") => contract.format.poison(span),
        ("", "effects" | "payload") => contract.complete = false,
        ("", name) => contract.poison_one(name, span),
        ("trigger", name) => contract.trigger.poison_one(name, span),
        ("key", name) => contract.key.poison_one(name, span),
        ("key.previous", name) => {
            for previous in &mut contract.key.previous {
                previous.poison_one(name, span);
            }
        }
        ("effects", name) => {
            for effect in &mut contract.effects {
                effect.poison_one(name, span);
            }
        }
        ("allow", name) => {
            for allow in &mut contract.allows {
                allow.poison_one(name, span);
            }
        }
        ("request", name) => contract.request.poison_one(name, span),
        ("claim", name) => contract.claim.poison_one(name, span),
        ("ordering", name) => contract.ordering.poison_one(name, span),
        ("response", name) => contract.response.poison_one(name, span),
        ("dead_letter", name) => contract.dead_letter.poison_one(name, span),
        ("cleanup", name) => contract.cleanup.poison_one(name, span),
        ("upsert", name) => contract.upsert.poison_one(name, span),
        ("entity", name) => contract.entity.poison_one(name, span),
        ("external", name) => contract.external.poison_one(name, span),
        _ => {}
    }
}
