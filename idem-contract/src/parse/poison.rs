//! Makes what is absent unreadable where the text that may have held it was refused.

use crate::{
    Allow, Claim, Cleanup, Contract, DeadLetter, Effect, Entity, External, Key, Ordering,
    PreviousKey, Request, Response, Setting, Span, Trigger, Upsert,
};

pub(super) trait Poison {
    /// Turns every absent setting into one that could not be read, at `span`.
    fn poison(&mut self, span: Span);
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

/// Applies what was found outside of its table to the table of that name.
pub(super) fn apply(contract: &mut Contract, table: &str, span: Span) {
    match table {
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
