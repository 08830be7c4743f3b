//! The contracts of `contracts/`: all of them clean, and the reference shows the whole format.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use idem_contract::{
    Allow, Claim, Cleanup, Contract, DeadLetter, Effect, EffectKind, Entity, External, Field,
    HashSpec, Key, LintOptions, Mode, Ordering, PreviousKey, Request, Response, Setting, Strategy,
    Trigger, TriggerKind, Upsert, lint, parse,
};

use crate::support::TODAY;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts")
}

fn read(workflow: &str) -> String {
    let path = folder().join(format!("{workflow}.toml"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every worked contract with its file's stem, the reference included.
fn worked() -> Vec<(String, Contract)> {
    let mut stems: Vec<String> = fs::read_dir(folder())
        .expect("the worked contracts")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    stems.sort();
    stems
        .into_iter()
        .map(|stem| {
            let contract = parse(read(&stem).as_bytes()).contract;
            (stem, contract)
        })
        .collect()
}

#[test]
fn every_worked_contract_is_clean_under_every_rule() {
    let mut said = Vec::new();
    for (stem, _) in worked() {
        let options = LintOptions {
            file_stem: Some(&stem),
            today: TODAY,
        };
        for finding in lint(read(&stem).as_bytes(), &options).diagnostics {
            said.push(format!("{stem}: {}: {}", finding.rule, finding.message));
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn the_worked_contracts_show_every_trigger_strategy_kind_of_effect_and_mode() {
    let worked = worked();
    assert!(worked.len() > 12, "{} contracts", worked.len());
    let triggers: BTreeSet<&str> = (worked.iter())
        .filter_map(|(_, contract)| contract.trigger.kind.get().map(|kind| kind.as_str()))
        .collect();
    assert_eq!(triggers.len(), TriggerKind::ALL.len(), "{triggers:?}");
    let strategies: BTreeSet<&str> = (worked.iter())
        .map(|(_, contract)| contract.strategy().as_str())
        .collect();
    assert_eq!(strategies.len(), Strategy::ALL.len(), "{strategies:?}");
    let effects: BTreeSet<&str> = (worked.iter())
        .flat_map(|(_, contract)| &contract.effects)
        .filter_map(|effect| effect.kind.get().map(|kind| kind.as_str()))
        .collect();
    assert_eq!(effects.len(), EffectKind::ALL.len(), "{effects:?}");
    let leased_over_local_effects = worked.iter().any(|(_, contract)| {
        contract.claim.mode.get() == Some(&Mode::Leased)
            && contract.effects.iter().all(Effect::is_fusable)
    });
    assert!(leased_over_local_effects);
}

#[test]
fn the_refund_of_the_example_service_is_one_transaction() {
    let contract = parse(read("refund-order").as_bytes()).contract;
    assert_eq!(contract.mode(), Mode::Fused);
    assert!(contract.effects.iter().all(Effect::is_fusable));
    let fields = contract.key.fields.get().expect("key fields");
    let fields: Vec<&str> = fields.iter().map(|field| field.value.as_str()).collect();
    assert_eq!(fields, ["tenant_id", "refund_id"]);
}

/// The names of settings that were not written.
#[derive(Default)]
struct Missing(Vec<&'static str>);

impl Missing {
    fn ask<T>(&mut self, name: &'static str, setting: &Setting<T>) {
        if setting.get().is_none() {
            self.0.push(name);
        }
    }

    /// For tables that come several times: one of them has to show the setting.
    fn ask_any<'t, S: 't, T: 't>(
        &mut self,
        name: &'static str,
        tables: &'t [S],
        setting: fn(&'t S) -> &'t Setting<T>,
    ) {
        if tables.iter().all(|table| setting(table).get().is_none()) {
            self.0.push(name);
        }
    }
}

/// Asks for every setting. The patterns name each member, so that a new one does not compile here
/// until the reference shows it.
fn missing(contract: &Contract) -> Vec<&'static str> {
    let mut missing = Missing::default();
    let Contract {
        format,
        workflow,
        version,
        owner,
        summary,
        strategy,
        trigger,
        payload_header: _,
        payload,
        key,
        request,
        claim,
        effects,
        ordering,
        response,
        dead_letter,
        cleanup,
        // Shown in comments, and asked for below: they do nothing beside strategy "table".
        upsert: _,
        entity: _,
        external: _,
        allows,
        complete: _,
        root_insert_at: _,
        start: _,
        end: _,
    } = contract;
    missing.ask("contract", format);
    missing.ask("workflow", workflow);
    missing.ask("version", version);
    missing.ask("owner", owner);
    missing.ask("summary", summary);
    missing.ask("strategy", strategy);
    of_trigger(&mut missing, trigger);
    of_payload(&mut missing, payload);
    of_key(&mut missing, key);
    let Request {
        header: _,
        hash,
        ignore,
    } = request;
    missing.ask("request.hash", hash);
    missing.ask("request.ignore", ignore);
    of_claim(&mut missing, claim);
    of_effects(&mut missing, effects);
    of_ordering(&mut missing, ordering);
    of_response(&mut missing, response);
    of_upkeep(&mut missing, dead_letter, cleanup);
    of_allows(&mut missing, allows);
    missing.0
}

fn of_trigger(missing: &mut Missing, trigger: &Trigger) {
    let Trigger {
        header: _,
        kind,
        source,
        redelivers_for,
        dead_letter_for,
        redrive_for,
        ordered,
        repeats,
        events,
        fan_out,
        consumer,
    } = trigger;
    missing.ask("trigger.kind", kind);
    missing.ask("trigger.source", source);
    missing.ask("trigger.redelivers_for", redelivers_for);
    missing.ask("trigger.dead_letter_for", dead_letter_for);
    missing.ask("trigger.redrive_for", redrive_for);
    missing.ask("trigger.ordered", ordered);
    missing.ask("trigger.repeats", repeats);
    missing.ask("trigger.events", events);
    missing.ask("trigger.fan_out", fan_out);
    missing.ask("trigger.consumer", consumer);
}

fn of_payload(missing: &mut Missing, payload: &[Field]) {
    if let Some(Field {
        name: _,
        span: _,
        kind: _,
        origin: _,
        required: _,
        personal: _,
        values: _,
        default: _,
    }) = payload.first()
    {
        missing.ask_any("payload.type", payload, |field| &field.kind);
        missing.ask_any("payload.origin", payload, |field| &field.origin);
        missing.ask_any("payload.required", payload, |field| &field.required);
        missing.ask_any("payload.personal", payload, |field| &field.personal);
        missing.ask_any("payload.values", payload, |field| &field.values);
        missing.ask_any("payload.default", payload, |field| &field.default);
    } else {
        missing.0.push("payload");
    }
}

fn of_key(missing: &mut Missing, key: &Key) {
    let Key {
        header: _,
        fields,
        tenant,
        previous,
    } = key;
    missing.ask("key.fields", fields);
    missing.ask("key.tenant", tenant);
    if let Some(PreviousKey {
        header: _,
        version,
        fields,
        until,
    }) = previous.first()
    {
        missing.ask("key.previous.version", version);
        missing.ask("key.previous.fields", fields);
        missing.ask("key.previous.until", until);
    } else {
        missing.0.push("key.previous");
    }
}

fn of_claim(missing: &mut Missing, claim: &Claim) {
    let Claim {
        header: _,
        lease,
        window,
        max_attempts,
        backoff,
        heartbeat,
        busy,
        outage,
        mode,
    } = claim;
    missing.ask("claim.lease", lease);
    missing.ask("claim.window", window);
    missing.ask("claim.max_attempts", max_attempts);
    missing.ask("claim.backoff", backoff);
    missing.ask("claim.heartbeat", heartbeat);
    missing.ask("claim.busy", busy);
    missing.ask("claim.outage", outage);
    missing.ask("claim.mode", mode);
}

fn of_effects(missing: &mut Missing, effects: &[Effect]) {
    if let Some(Effect {
        header: _,
        name: _,
        kind: _,
        store: _,
        target: _,
        change: _,
        key_header: _,
        provider: _,
        key_lifetime: _,
        timeout: _,
        tries: _,
        on_ambiguous: _,
        probe: _,
    }) = effects.first()
    {
        missing.ask_any("effects.name", effects, |effect| &effect.name);
        missing.ask_any("effects.kind", effects, |effect| &effect.kind);
        missing.ask_any("effects.store", effects, |effect| &effect.store);
        missing.ask_any("effects.target", effects, |effect| &effect.target);
        missing.ask_any("effects.change", effects, |effect| &effect.change);
        missing.ask_any("effects.key_header", effects, |effect| &effect.key_header);
        missing.ask_any("effects.provider", effects, |effect| &effect.provider);
        missing.ask_any("effects.key_lifetime", effects, |effect| {
            &effect.key_lifetime
        });
        missing.ask_any("effects.timeout", effects, |effect| &effect.timeout);
        missing.ask_any("effects.tries", effects, |effect| &effect.tries);
        missing.ask_any("effects.on_ambiguous", effects, |effect| {
            &effect.on_ambiguous
        });
        missing.ask_any("effects.probe", effects, |effect| &effect.probe);
    } else {
        missing.0.push("effects");
    }
}

fn of_ordering(missing: &mut Missing, ordering: &Ordering) {
    let Ordering {
        header: _,
        entity,
        version,
        tie_breaker,
        when_stale,
    } = ordering;
    missing.ask("ordering.entity", entity);
    missing.ask("ordering.version", version);
    missing.ask("ordering.tie_breaker", tie_breaker);
    missing.ask("ordering.when_stale", when_stale);
}

fn of_response(missing: &mut Missing, response: &Response) {
    let Response {
        header: _,
        keep,
        max_bytes,
        redact,
    } = response;
    missing.ask("response.keep", keep);
    missing.ask("response.max_bytes", max_bytes);
    missing.ask("response.redact", redact);
}

fn of_upkeep(missing: &mut Missing, dead_letter: &DeadLetter, cleanup: &Cleanup) {
    let DeadLetter {
        header: _,
        owner,
        channel,
        deadline,
    } = dead_letter;
    missing.ask("dead_letter.owner", owner);
    missing.ask("dead_letter.channel", channel);
    missing.ask("dead_letter.deadline", deadline);
    let Cleanup {
        header: _,
        every,
        batch,
    } = cleanup;
    missing.ask("cleanup.every", every);
    missing.ask("cleanup.batch", batch);
}

fn of_allows(missing: &mut Missing, allows: &[Allow]) {
    if let Some(Allow {
        header: _,
        rule,
        field,
        reason,
        until,
    }) = allows.first()
    {
        missing.ask("allow.rule", rule);
        missing.ask("allow.field", field);
        missing.ask("allow.reason", reason);
        missing.ask("allow.until", until);
    } else {
        missing.0.push("allow");
    }
}

#[test]
fn the_reference_shows_every_setting_of_the_format() {
    let contract = parse(read("reference").as_bytes()).contract;
    assert_eq!(missing(&contract), <[&str; 0]>::default());
    assert!(matches!(
        contract.request.hash.get(),
        Some(HashSpec::Fields(_))
    ));
}

/// The commented lines of the reference from `# [table]` to the next blank comment, as TOML.
fn commented(reference: &str, table: &str) -> String {
    reference
        .lines()
        .skip_while(|line| *line != format!("# [{table}]"))
        .map_while(|line| line.strip_prefix("# "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_reference_shows_the_tables_of_the_other_strategies_in_comments() {
    let reference = read("reference");
    let mut missing = Missing::default();
    let of = |strategy: &str, table: &str| {
        let text = format!(
            "contract = 1\nstrategy = \"{strategy}\"\n{}",
            commented(&reference, table)
        );
        parse(text.as_bytes()).contract
    };
    let Upsert {
        header: _,
        conflict_target,
    } = of("upsert", "upsert").upsert;
    missing.ask("upsert.conflict_target", &conflict_target);
    let Entity {
        header: _,
        field,
        memory,
    } = of("entity", "entity").entity;
    missing.ask("entity.field", &field);
    missing.ask("entity.memory", &memory);
    let External { header: _, store } = of("external", "external").external;
    missing.ask("external.store", &store);
    assert_eq!(missing.0, <[&str; 0]>::default());
}
