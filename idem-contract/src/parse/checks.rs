//! What the format asks across settings: mandatory ones, names that must be declared, tables that
//! a strategy needs or has no use for.

use std::collections::{HashMap, HashSet};

use super::decoder::{At, Decoder};
use super::near::nearest;
use crate::{
    Contract, Effect, Fix, HashSpec, Header, OnAmbiguous, Setting, Span, TriggerKind, name, rules,
};

impl Decoder<'_, '_> {
    /// Reports each absent setting of a table: its name, whether it is absent, what to write.
    pub(super) fn required(
        &mut self,
        at: At<'_>,
        header: Header,
        settings: &[(&'static str, bool, &str)],
    ) {
        for (name, absent, help) in settings {
            if *absent {
                self.report(
                    &rules::MISSING_FIELD,
                    header.span,
                    at.path(name),
                    format!("{} needs `{name}`", at.words()),
                    "what is not stated is decided by accident",
                    format!("write {help}"),
                );
            }
        }
    }

    pub(super) fn check(&mut self, contract: &mut Contract) {
        self.check_root(contract);
        self.check_trigger(contract);
        self.check_tenant(contract);
        self.check_key_types(contract);
        self.check_previous(contract);
        self.check_names(contract);
        self.check_effects(contract);
        self.check_ordering(contract);
        self.check_strategy(contract);
        self.check_allows(contract);
    }

    fn missing_root(&mut self, contract: &Contract, name: &str, help: &str, fix: Option<Fix>) {
        self.report(
            &rules::MISSING_FIELD,
            contract.anchor(),
            name.to_owned(),
            format!("the contract has no `{name}`"),
            "what is not stated is decided by accident",
            format!("write {help}"),
        )
        .fix = fix;
    }

    fn check_root(&mut self, contract: &Contract) {
        if contract.format.is_absent() {
            let fix = Some(contract.add_root_setting("contract = 1"));
            let help = "`contract = 1`: the version of the format";
            self.missing_root(contract, "contract", help, fix);
        }
        for (name, absent, help) in [
            (
                "workflow",
                contract.workflow.is_absent(),
                "`workflow = \"…\"`: the file's name without `.toml`",
            ),
            (
                "version",
                contract.version.is_absent(),
                "`version = 1`: it grows with each change of the key's recipe",
            ),
            (
                "owner",
                contract.owner.is_absent(),
                "`owner = \"…\"`: who is called when the workflow fails",
            ),
            (
                "summary",
                contract.summary.is_absent(),
                "`summary = \"…\"`: one sentence on what happens once",
            ),
        ] {
            if absent {
                self.missing_root(contract, name, help, None);
            }
        }
        if contract.payload.is_empty() && contract.payload_header.is_none() && contract.complete {
            let help = "`[payload]` and the event's fields below it";
            self.missing_root(contract, "payload", help, None);
        }
    }

    fn check_trigger(&mut self, contract: &Contract) {
        let trigger = &contract.trigger;
        if trigger.kind.is_absent() {
            self.report(
                &rules::MISSING_FIELD,
                contract.table_anchor(trigger.header),
                "trigger.kind".to_owned(),
                "the contract does not say what starts the workflow",
                "how often an event may come again depends on who sends it",
                "write `kind = \"webhook\"` in `[trigger]`, or http, queue, stream, schedule, manual",
            );
        }
        if trigger.kind.get() == Some(&TriggerKind::Schedule)
            && let Some(repeats) = trigger.repeats.given()
            && !repeats.value
        {
            self.invalid(
                repeats.span,
                "trigger.repeats".to_owned(),
                "a schedule always repeats",
                "the same entity rightly comes again with each run",
                "write `repeats = true`, or take the line out",
            )
            .fix = Some(Fix::replace(repeats.span, "true"));
        }
    }

    /// The tenant is a declared field and a part of the key.
    fn check_tenant(&mut self, contract: &mut Contract) {
        let (Some(tenant), Some(fields)) = (contract.key.tenant.given(), contract.key.fields.get())
        else {
            return;
        };
        let span = tenant.span;
        if fields.iter().any(|field| field.value == tenant.value)
            || contract.lacks_field(&tenant.value)
        {
            return;
        }
        self.invalid(
            span,
            "key.tenant".to_owned(),
            format!("`{}` is not one of the key's fields", tenant.value),
            "a tenant that is not part of the key separates nobody: two tenants share one row",
            format!("write `\"{}\"` in `key.fields` too", tenant.value),
        )
        .also(
            contract.key.fields.span().unwrap_or_default(),
            "the key's fields",
        );
        contract.key.tenant = Setting::Unreadable(span);
    }

    fn check_previous(&mut self, contract: &mut Contract) {
        let mut seen: HashMap<u32, Span> = HashMap::new();
        for previous in &contract.key.previous {
            self.required(
                At::of("key.previous"),
                previous.header,
                &[
                    (
                        "version",
                        previous.version.is_absent(),
                        "`version = 1`: the version that the older key was stored under",
                    ),
                    (
                        "fields",
                        previous.fields.is_absent(),
                        "`fields = [\"…\"]`: what the older key was made of",
                    ),
                ],
            );
            let Some(version) = previous.version.given() else {
                continue;
            };
            if let Some(current) = contract.version.given()
                && version.value >= current.value
            {
                self.invalid(
                    version.span,
                    "key.previous.version".to_owned(),
                    format!(
                        "version {} is not older than {}",
                        version.value, current.value
                    ),
                    "an older recipe has a lower version than the one that replaced it",
                    format!(
                        "raise `version` to {} or more",
                        version.value.saturating_add(1)
                    ),
                )
                .also(current.span, "the version of the current recipe");
            }
            if let Some(&first) = seen.get(&version.value) {
                self.invalid(
                    version.span,
                    "key.previous.version".to_owned(),
                    format!("version {} is described twice", version.value),
                    "one version was made by one recipe",
                    "keep one of the two",
                )
                .also(first, "first described here");
            }
            seen.entry(version.value).or_insert(version.span);
        }
    }

    /// Names outside `[payload]` and the key are declared fields.
    fn check_names(&mut self, contract: &Contract) {
        let ignored = contract.request.ignore.get();
        // Without a payload no name is declared, and that is one mistake.
        if !contract.complete || (contract.payload.is_empty() && contract.payload_header.is_none())
        {
            return;
        }
        let known: HashSet<&str> = (contract.payload.iter())
            .map(|field| field.name.value.as_str())
            .collect();
        let hashed = match contract.request.hash.get() {
            Some(HashSpec::Fields(fields)) => &fields[..],
            Some(HashSpec::All | HashSpec::None) | None => &[],
        };
        for name in hashed {
            self.declared(contract, &known, &name.value, name.span, "request.hash");
        }
        for name in ignored.into_iter().flatten() {
            self.declared(contract, &known, &name.value, name.span, "request.ignore");
            if let Some(other) = hashed.iter().find(|hashed| hashed.value == name.value) {
                self.invalid(
                    name.span,
                    "request.ignore".to_owned(),
                    format!("`{}` is both hashed and ignored", name.value),
                    "only one of the two can hold",
                    "take it out of `hash` or out of `ignore`",
                )
                .also(other.span, "hashed here");
            }
        }
        let ordering = &contract.ordering;
        for name in ordering.entity.get().into_iter().flatten() {
            self.declared(contract, &known, &name.value, name.span, "ordering.entity");
        }
        for (setting, path) in [
            (&ordering.version, "ordering.version"),
            (&ordering.tie_breaker, "ordering.tie_breaker"),
            (&contract.key.tenant, "key.tenant"),
        ] {
            if let Some(name) = setting.given() {
                self.declared(contract, &known, &name.value, name.span, path);
            }
        }
        for allow in &contract.allows {
            if let Some(name) = allow.field.given() {
                self.declared(contract, &known, &name.value, name.span, "allow.field");
            }
        }
    }

    fn declared(
        &mut self,
        contract: &Contract,
        known: &HashSet<&str>,
        name: &str,
        span: Span,
        path: &str,
    ) {
        if known.contains(name) {
            return;
        }
        let fields = contract
            .payload
            .iter()
            .map(|field| field.name.value.as_str());
        let near = nearest(name, fields);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare `{name}` in `[payload]`, or name a field that is there"),
        };
        self.report(
            &rules::UNDECLARED_FIELD,
            span,
            path.to_owned(),
            format!("`{name}` is not a field of the payload"),
            "a name that no event has is never there to be compared",
            help,
        )
        .fix = near.map(|near| Fix::replace(span, name::quoted(near)));
    }

    fn check_effects(&mut self, contract: &Contract) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for effect in &contract.effects {
            if let Some(name) = effect.name.given() {
                if let Some(&first) = seen.get(name.value.as_str()) {
                    self.invalid(
                        name.span,
                        format!("effects.{}.name", name.value),
                        format!("two effects are called `{}`", name.value),
                        "an effect is found again by its name",
                        "give each effect a name of its own",
                    )
                    .also(first, "first used here");
                } else {
                    seen.insert(&name.value, name.span);
                }
            }
            self.check_probe(effect);
        }
    }

    fn check_probe(&mut self, effect: &Effect) {
        let path = format!("effects.{}.probe", effect.label());
        match (effect.on_ambiguous.given(), &effect.probe) {
            (Some(decision), Setting::Absent) if decision.value == OnAmbiguous::Probe => {
                self.report(
                    &rules::MISSING_FIELD,
                    decision.span,
                    path,
                    "the probe has no name",
                    "nobody knows what to ask when the effect is in doubt",
                    "write `probe = \"…\"`: the name of the function that asks",
                );
            }
            (Some(decision), Setting::Given(probe)) if decision.value != OnAmbiguous::Probe => {
                self.invalid(
                    probe.span,
                    path,
                    "a probe that is never asked",
                    "`on_ambiguous` decides who is asked, and it is not the probe",
                    "write `on_ambiguous = \"probe\"`, or take `probe` out",
                )
                .also(decision.span, "decided here");
            }
            (None, Setting::Given(probe)) if effect.on_ambiguous.is_absent() => {
                self.invalid(
                    probe.span,
                    path,
                    "a probe that is never asked",
                    "only `on_ambiguous = \"probe\"` asks it",
                    "write `on_ambiguous = \"probe\"` beside it",
                );
            }
            _ => {}
        }
    }

    fn check_ordering(&mut self, contract: &Contract) {
        let ordering = &contract.ordering;
        let Some(header) = ordering.header else {
            return;
        };
        self.required(
            At::of("ordering"),
            header,
            &[
                (
                    "entity",
                    ordering.entity.is_absent(),
                    "`entity = \"…\"`: the field that names what the events are about",
                ),
                (
                    "version",
                    ordering.version.is_absent(),
                    "`version = \"…\"`: the field that grows with each event of one entity",
                ),
            ],
        );
    }

    /// `[[allow]]` names a rule that exists and that may be silenced.
    fn check_allows(&mut self, contract: &mut Contract) {
        for allow in &mut contract.allows {
            let Some(rule) = allow.rule.given() else {
                continue;
            };
            let span = rule.span;
            match rules::find(&rule.value) {
                None if rules::ELSEWHERE.contains(&rule.value.as_str()) => {}
                None => {
                    let elsewhere = rules::ELSEWHERE.iter().copied();
                    let ids = (rules::ALL.iter().map(|rule| rule.id)).chain(elsewhere);
                    let near = nearest(&rule.value, ids);
                    self.report(
                        &rules::UNKNOWN_VALUE,
                        span,
                        "allow.rule".to_owned(),
                        format!("there is no rule `{}`", rule.value),
                        "a rule that does not exist cannot be silenced",
                        match near {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => "`idem rules` lists the rules".to_owned(),
                        },
                    )
                    .fix = near.map(|near| Fix::replace(span, format!("\"{near}\"")));
                    allow.rule = Setting::Unreadable(span);
                }
                Some(known) if !known.can_be_allowed() => {
                    self.invalid(
                        span,
                        "allow.rule".to_owned(),
                        format!("`{}` cannot be silenced", known.id),
                        "it says that the contract cannot be read, or that a silence is not earned",
                        "mend what it reports, and take this `[[allow]]` out",
                    );
                    allow.rule = Setting::Unreadable(span);
                }
                Some(_) => {}
            }
        }
    }
}
