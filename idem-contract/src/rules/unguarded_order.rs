//! # unguarded-order
//!
//! Events that can arrive out of order set a value, and nothing keeps an old one from winning.
//!
//! ## What it does
//!
//! Reports a webhook, queue or stream with `ordered = false` (the default), an effect with
//! `change = "set"`, and no `[ordering]`.
//!
//! ## Why it hurts
//!
//! Each of two events is new, so deduplication lets both through. The older one, delayed by a retry,
//! arrives last and writes its old value over the new one: a cancelled subscription runs again.
//!
//! ## Bad
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! redelivers_for = "3d"
//! ordered = false
//!
//! [[effects]]
//! name = "orders"
//! kind = "local"
//! target = "orders"
//! change = "set"
//! ```
//!
//! ## Good
//!
//! ```toml
//! [trigger]
//! kind = "webhook"
//! redelivers_for = "3d"
//! ordered = false
//!
//! [ordering]
//! entity = "order_id"
//! version = "sequence"
//! when_stale = "acknowledge"
//!
//! [[effects]]
//! name = "orders"
//! kind = "local"
//! target = "orders"
//! change = "set"
//! ```
//!
//! ## Source
//!
//! onetimesecret/onetimesecret#3692: an old event put an organisation back to a former plan.

use crate::{
    Change, Check, Contract, Findings, Fixable, Group, Ordering, Place, Rule, Setting, Severity,
    TriggerKind,
};

pub(super) static UNGUARDED_ORDER: Rule = Rule {
    id: "unguarded-order",
    group: Group::Order,
    severity: Severity::Error,
    places: &[Place::Contract],
    core: true,
    since: "0.1.0",
    fixable: Fixable::No,
    source: include_str!("unguarded_order.rs"),
    check: Check::Contract(check),
};

fn check(contract: &Contract, findings: &mut Findings<'_>) {
    let Some(kind) = contract.trigger.kind.given() else {
        return;
    };
    if !matches!(
        kind.value,
        TriggerKind::Webhook | TriggerKind::Queue | TriggerKind::Stream
    ) || guarded(&contract.ordering)
    {
        return;
    }
    let place = match &contract.trigger.ordered {
        Setting::Absent => kind.span,
        Setting::Given(ordered) if !ordered.value => ordered.span,
        Setting::Given(_) | Setting::Unreadable(_) => return,
    };
    let setting: Vec<_> = contract
        .effects
        .iter()
        .filter_map(|effect| {
            let change = effect.change.given()?;
            (change.value == Change::Set).then_some((effect, change))
        })
        .collect();
    let Some((first, change)) = setting.first() else {
        return;
    };
    let finding = findings.report(
        change.span,
        format!("effects.{}.change", first.label()),
        format!(
            "`{}` sets a value from events that can arrive out of order",
            first.label()
        ),
        "an older event that arrives late writes its old value over the newer one",
        "write `[ordering]` with `entity`, `version` and `when_stale = \"acknowledge\"`; or `ordered = true` where the source guarantees it",
    );
    finding.also(
        place,
        format!("a {} that is not ordered", kind.value.as_str()),
    );
    for (effect, change) in &setting[1..] {
        finding.also(
            change.span,
            format!("`{}` sets a value too", effect.label()),
        );
    }
    finding.race(&[
        "worker A: gets version 1, fails, and leaves it to a retry",
        "worker B: gets version 2, sets the value of version 2 and commits",
        "worker A: gets version 1 again, sets the value of version 1 and commits",
    ]);
}

/// Also true where the guard was written in a way that could not be read.
fn guarded(ordering: &Ordering) -> bool {
    ordering.header.is_some() || !ordering.entity.is_absent() || !ordering.version.is_absent()
}

#[cfg(test)]
mod tests {
    use super::UNGUARDED_ORDER as RULE;
    use crate::rules::examples::source;
    use crate::testing::{bad, good, unchecked};

    const SET: &str = "[[effects]]\nname = \"orders\"\nkind = \"local\"\nchange = \"set\"\n";
    const GUARD: &str =
        "[ordering]\nentity = \"order_id\"\nversion = \"sequence\"\nwhen_stale = \"acknowledge\"\n";

    fn trigger(kind: &str, more: &str) -> String {
        format!("[trigger]\nkind = \"{kind}\"\n{more}")
    }

    #[test]
    fn whatever_comes_again_by_itself_can_come_late() {
        for kind in ["webhook", "queue", "stream"] {
            bad(&RULE, &format!("{}{SET}", trigger(kind, "")));
            bad(
                &RULE,
                &format!("{}{SET}", trigger(kind, "ordered = false\n")),
            );
        }
    }

    #[test]
    fn order_a_guard_or_a_caller_who_waits_is_enough() {
        good(
            &RULE,
            &format!("{}{SET}", trigger("queue", "ordered = true\n")),
        );
        good(&RULE, &format!("{}{SET}{GUARD}", trigger("queue", "")));
        for kind in ["http", "manual"] {
            good(&RULE, &format!("{}{SET}", trigger(kind, "")));
        }
    }

    #[test]
    fn rows_that_are_added_have_no_order() {
        good(&RULE, &trigger("webhook", ""));
    }

    #[test]
    fn a_guard_that_cannot_be_read_is_not_missing() {
        let text = source(&format!("ordering = 3\n{}{SET}", trigger("webhook", "")));
        assert_eq!(unchecked(&RULE, &text), []);
    }
}
