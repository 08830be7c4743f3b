//! From a contract to what the drill plays on.

use std::path::Path;
use std::time::{Duration, SystemTime};

use idem::drill::{DrillStore, Events, Field, Scratch};
use idem::{FieldType, Mode, Workflow};
use idem_codegen::sample::{Sample, hashed_fields};
use idem_contract::{BusyPolicy, Contract, EffectKind, Keep, Strategy, Window};

/// The shortest lease of a drill. Leases are ended by changing rows, so their length shows nothing,
/// and a slow machine must not fence an owner that stands still on purpose.
const LEAST_LEASE: Duration = Duration::from_secs(60);

/// The subject of that contract; or why its drills cannot be played without its handler.
pub(super) fn of<S: DrillStore>(contract: &Contract) -> Result<Scratch<S>, String> {
    refuse(contract)?;
    let workflow = workflow(contract)?;
    let sample = Sample::of(contract);
    let events =
        events(&sample).map_err(|trouble| format!("its synthetic events do not fit: {trouble}"))?;
    let key = contract.key.fields.get().map_or(&[][..], Vec::as_slice);
    let key = key
        .iter()
        .map(|name| field(contract, &name.value))
        .collect();
    let mut scratch = Scratch::new(workflow, key, events).hash(
        hashed_fields(contract)
            .into_iter()
            .map(|hashed| field(contract, &hashed.name.value))
            .collect(),
    );
    if let Some(tenant) = contract.key.tenant.get() {
        scratch = scratch.tenant(field(contract, tenant));
    }
    for recipe in &contract.key.previous {
        if let (Some(version), Some(fields), Some(until)) = (
            recipe.version.get(),
            recipe.fields.get(),
            recipe.until.get(),
        ) {
            let fields = fields.iter().map(|name| field(contract, &name.value));
            // The drill is about what holds during the overlap, whenever it is run.
            let days = u64::try_from(*until).unwrap_or(0);
            let until = SystemTime::UNIX_EPOCH + Duration::from_secs((days + 1) * 24 * 60 * 60);
            let during = until.max(SystemTime::now() + Duration::from_secs(24 * 60 * 60));
            scratch = scratch.previous(*version, during, fields.collect());
        }
    }
    for effect in &contract.effects {
        scratch = scratch.effect(effect.label());
    }
    Ok(scratch)
}

/// The same in a child process, from the file that its parent read.
pub(super) fn from_file<S: DrillStore>(path: &str) -> Option<Scratch<S>> {
    let source = crate::engine::read(Path::new(path)).ok()?;
    of(&idem_contract::parse(&source).contract).ok()
}

/// What a drill without the handler cannot show.
fn refuse(contract: &Contract) -> Result<(), String> {
    match contract.strategy() {
        Strategy::Table => {}
        other @ (Strategy::External | Strategy::Upsert | Strategy::Entity) => {
            return Err(format!(
                "strategy `{}` keeps no table that the drill could look into",
                other.as_str()
            ));
        }
    }
    if contract.effects.is_empty() {
        return Err("it declares no effects, so there is nothing to lose".to_owned());
    }
    let outside = contract.effects.iter().find(|effect| effect.is_outside());
    if let Some(effect) = outside {
        let kind = effect.kind.get().map_or("outside", |kind| kind.as_str());
        return Err(format!(
            "effect `{}` is {kind}: what a kill leaves behind there, only the handler's own drill can show (`idem generate drill`)",
            effect.label()
        ));
    }
    let foreign = contract
        .effects
        .iter()
        .find(|effect| effect.kind.get() == Some(&EffectKind::Local) && !effect.is_fusable());
    match foreign {
        Some(effect) => Err(format!(
            "effect `{}` is in store `{}`, and a drill has one store",
            effect.label(),
            effect.store()
        )),
        None => Ok(()),
    }
}

/// The workflow as the attribute would lower it.
fn workflow(contract: &Contract) -> Result<&'static Workflow, String> {
    let lacks = |what: &str| format!("it does not say {what}; `idem lint` says more");
    let claim = &contract.claim;
    let name = contract.workflow.get().ok_or_else(|| lacks("its name"))?;
    let version = contract.version.get().ok_or_else(|| lacks("its version"))?;
    let lease = claim.lease.get().ok_or_else(|| lacks("its lease"))?;
    let attempts = claim
        .max_attempts
        .get()
        .ok_or_else(|| lacks("how many attempts it gets"))?;
    if contract.key.fields.get().is_none_or(Vec::is_empty) {
        return Err(lacks("its key"));
    }
    let mut workflow = Workflow::new(leak(name), *version)
        .lease_ms(millis((*lease).max(LEAST_LEASE)))
        .max_attempts((*attempts).max(1))
        .mode(match contract.mode() {
            idem_contract::Mode::Fused => Mode::Fused,
            idem_contract::Mode::Leased => Mode::Leased,
        });
    workflow = match claim.window.get().ok_or_else(|| lacks("its window"))? {
        Window::Forever => workflow.window_forever(),
        Window::For(window) => workflow.window_ms(millis(*window)),
    };
    if claim.heartbeat.or(false) {
        workflow = workflow.heartbeat();
    }
    if let Some(BusyPolicy::Wait(Some(bound))) = claim.busy.get() {
        workflow = workflow.busy_wait_ms(millis(*bound));
    }
    if let Some(consumer) = contract.trigger.consumer.get() {
        workflow = workflow.consumer(leak(consumer));
    }
    if contract.response.keep.or(Keep::Full) == Keep::Tombstone {
        workflow = workflow.keep_tombstone();
    }
    if let Some(bytes) = contract.response.max_bytes.get() {
        workflow = workflow.max_response_bytes(*bytes);
    }
    Ok(Box::leak(Box::new(workflow)))
}

fn events(sample: &Sample) -> Result<Events, idem::drill::Trouble> {
    let mut events = Events::of(&sample.event)?;
    if let Some(other) = &sample.other_body {
        events = events.other_body(&other.field, &other.value)?;
    }
    for other in &sample.must_differ {
        events = events.must_differ(&other.field, &other.value)?;
    }
    Ok(events)
}

fn field(contract: &Contract, name: &str) -> Field {
    let kind = contract
        .field(name)
        .and_then(|field| field.kind.get().copied());
    Field {
        name: leak(name),
        kind: kind.map_or(FieldType::String, field_type),
    }
}

/// The contract's word as the runtime's.
const fn field_type(kind: idem_contract::FieldType) -> FieldType {
    use idem_contract::FieldType as Declared;
    match kind {
        Declared::String => FieldType::String,
        Declared::Integer => FieldType::Integer,
        Declared::Boolean => FieldType::Boolean,
        Declared::Uuid => FieldType::Uuid,
        Declared::Decimal => FieldType::Decimal,
        Declared::Float => FieldType::Float,
        Declared::Date => FieldType::Date,
        Declared::Timestamp => FieldType::Timestamp,
        Declared::Enum => FieldType::Enum,
        Declared::Bytes => FieldType::Bytes,
        Declared::Object => FieldType::Object,
        Declared::Array => FieldType::Array,
    }
}

fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

/// A workflow's names live as long as the program; one run reads each contract once or twice.
fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
