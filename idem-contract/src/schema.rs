//! The JSON Schema of the format, for editors.
//!
//! These types say what a contract looks like and are never built: the decoder reads contracts, and
//! a test holds the two together. Doc comments are what an editor shows.

#![expect(dead_code, reason = "the types are read by the derive alone")]

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::model::Word;

/// The JSON Schema of a contract as text, indented, with a line break at its end. The same release
/// gives the same bytes.
#[must_use]
pub fn schema() -> String {
    format!("{:#}\n", root().as_value())
}

fn root() -> Schema {
    let mut schema = SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<ContractFile>();
    schema.insert(
        "$comment".to_owned(),
        "Written by `idem schema`. Name it in a contract's first line: #:schema ./contract.schema.json".into(),
    );
    schema
}

const DURATION: &str = "([0-9]+(ms|s|m|h|d|w))+";
const NAME: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/// One word of a list.
fn word<T: Word>(_: &mut SchemaGenerator) -> Schema {
    let words: Vec<&str> = T::ALL.iter().map(|value| value.word()).collect();
    json_schema!({ "type": "string", "enum": words })
}

fn format_version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "const": 1 })
}

fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": NAME, "maxLength": 64 })
}

fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1 })
}

fn count(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "minimum": 1, "maximum": u32::MAX })
}

fn duration(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": format!("^{DURATION}$") })
}

fn window(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": format!("^(forever|{DURATION})$") })
}

fn busy(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": format!("^(reject|wait {DURATION})$") })
}

fn size(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^([0-9]+(B|KiB|MiB))+$" })
}

fn date(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "date" })
}

fn acknowledge(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["acknowledge"] })
}

fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "string", "minLength": 1 }, "uniqueItems": true })
}

fn name_or_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["string", "array"],
        "items": { "type": "string", "minLength": 1 },
        "uniqueItems": true
    })
}

fn hash(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            { "type": "string", "enum": ["all", "none"] },
            { "type": "array", "items": { "type": "string", "minLength": 1 }, "uniqueItems": true }
        ]
    })
}

fn default_value(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "number", "boolean"] })
}

/// Makes exactly these settings mandatory, written with spaces between them.
fn require(names: &'static str) -> impl FnMut(&mut Schema) {
    move |schema| {
        schema.remove("required");
        if !names.is_empty() {
            let names: Vec<&str> = names.split(' ').collect();
            schema.insert("required".to_owned(), names.into());
        }
    }
}

/// Where there are effects, there is a key, a request hash and somebody who settles doubts.
fn with_effects(schema: &mut Schema) {
    let rule = json_schema!({
        "if": { "required": ["effects"] },
        "then": { "required": ["key", "request", "dead_letter"] }
    });
    schema.insert("allOf".to_owned(), vec![rule.to_value()].into());
}

/// The contract of one workflow: what makes two deliveries the same operation, what the workflow
/// writes, and what happens when something breaks half-way.
#[derive(JsonSchema)]
#[schemars(
    rename = "contract",
    deny_unknown_fields,
    transform = require("contract workflow version owner summary trigger payload"),
    transform = with_effects
)]
struct ContractFile {
    /// The version of the format.
    #[schemars(schema_with = "format_version")]
    contract: (),
    /// The workflow's name: kebab-case, and the file's name. Part of every stored key.
    #[schemars(schema_with = "name")]
    workflow: (),
    /// The version of the key recipe: part of every stored key.
    #[schemars(schema_with = "count")]
    version: (),
    /// Who is called when the workflow fails.
    #[schemars(schema_with = "text")]
    owner: (),
    /// One sentence on what happens once.
    #[schemars(schema_with = "text")]
    summary: (),
    /// Where the memory of finished operations lives: in a bookkeeping table (default), in an
    /// external store, in a unique column, or in the entity's own row.
    #[schemars(schema_with = "word::<crate::Strategy>")]
    strategy: (),
    trigger: Trigger,
    payload: BTreeMap<String, FieldOrGroup>,
    key: Key,
    request: Request,
    claim: Claim,
    /// What the workflow changes, in the order in which it happens.
    effects: Vec<Effect>,
    ordering: Ordering,
    response: Response,
    dead_letter: DeadLetter,
    cleanup: Cleanup,
    upsert: Upsert,
    entity: Entity,
    external: External,
    /// Findings that are wrong here, each with its reason.
    allow: Vec<Allow>,
}

/// What starts the workflow, and how often it may come again.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require("kind"))]
struct Trigger {
    /// Who sends the event.
    #[schemars(schema_with = "word::<crate::TriggerKind>")]
    kind: (),
    /// Free text, or a name from the built-in source table.
    #[schemars(schema_with = "text")]
    source: (),
    /// The latest moment after the first delivery at which the event may come again.
    #[schemars(schema_with = "duration")]
    redelivers_for: (),
    /// How long a parked message may be redriven.
    #[schemars(schema_with = "duration")]
    dead_letter_for: (),
    /// Whether events of one entity come in order.
    ordered: bool,
    /// How long somebody may replay by hand.
    #[schemars(schema_with = "duration")]
    redrive_for: (),
    /// Whether the same entity may rightly come again; always so for schedules.
    repeats: bool,
    /// The event types served.
    #[schemars(schema_with = "names")]
    events: (),
    /// Whether several consumers get each event.
    fan_out: bool,
    /// Who we are among the consumers; part of every stored key.
    #[schemars(schema_with = "name")]
    consumer: (),
}

/// A field's declaration, or a level of dotted names.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum FieldOrGroup {
    Field(Field),
    Group(BTreeMap<String, FieldOrGroup>),
}

/// One field of the event.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require("type"))]
struct Field {
    /// The field's type.
    #[schemars(schema_with = "word::<crate::FieldType>")]
    #[schemars(rename = "type")]
    kind: (),
    /// Where the value is born: decides whether it can be part of a key.
    #[schemars(schema_with = "word::<crate::Origin>")]
    origin: (),
    /// Whether the field is always there (default true).
    required: bool,
    /// Whether it is personal data.
    personal: bool,
    /// The values of an enum.
    #[schemars(schema_with = "names")]
    values: (),
    /// A stand-in for a missing value.
    #[schemars(schema_with = "default_value")]
    default: (),
}

/// What makes two deliveries the same operation.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Key {
    /// The parts of the key, in order.
    #[schemars(schema_with = "names")]
    fields: (),
    /// The part that says for whom: one of the fields.
    #[schemars(schema_with = "text")]
    tenant: (),
    /// Older recipes whose rows are still found.
    previous: Vec<PreviousKey>,
}

/// An older key recipe.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require("version fields"))]
struct PreviousKey {
    /// The version that the older key was stored under.
    #[schemars(schema_with = "count")]
    version: (),
    /// What the older key was made of.
    #[schemars(schema_with = "names")]
    fields: (),
    /// The last day on which a retry may carry it (UTC).
    #[schemars(schema_with = "date")]
    until: (),
}

/// How a key that comes again with another body is noticed.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Request {
    /// The fields that must be equal, `all`, or `none` where there is nothing but the key.
    #[schemars(schema_with = "hash")]
    hash: (),
    /// Fields that may differ between attempts.
    #[schemars(schema_with = "names")]
    ignore: (),
}

/// How a key is claimed before any work.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Claim {
    /// How long one attempt owns the key before another may take it over.
    #[schemars(schema_with = "duration")]
    lease: (),
    /// How long a finished key is remembered, counted from completion, or `forever`.
    #[schemars(schema_with = "window")]
    window: (),
    /// How often the operation is tried.
    #[schemars(schema_with = "count")]
    max_attempts: (),
    /// The pauses between attempts, all together (default 0s).
    #[schemars(schema_with = "duration")]
    backoff: (),
    /// Whether the lease is renewed at a third of it (default false).
    heartbeat: bool,
    /// What a second caller gets meanwhile: `reject` (default) or `wait 2s`.
    #[schemars(schema_with = "busy")]
    busy: (),
    /// What to do when the store cannot be asked: refuse (default) or run unprotected.
    #[schemars(schema_with = "word::<crate::Outage>")]
    outage: (),
    /// One transaction, or a claim that commits first; follows from the effects.
    #[schemars(schema_with = "word::<crate::Mode>")]
    mode: (),
}

/// One thing that the workflow changes.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require("name kind"))]
struct Effect {
    /// A name of its own.
    #[schemars(schema_with = "name")]
    name: (),
    /// What can be done when it is in doubt.
    #[schemars(schema_with = "word::<crate::EffectKind>")]
    kind: (),
    /// Which database; `main` (default) holds the bookkeeping.
    #[schemars(schema_with = "text")]
    store: (),
    /// The table or thing that changes.
    #[schemars(schema_with = "text")]
    target: (),
    /// How a local effect changes its target.
    #[schemars(schema_with = "word::<crate::Change>")]
    change: (),
    /// The header in which the provider takes our key.
    #[schemars(schema_with = "text")]
    key_header: (),
    /// Free text, or a name from the built-in source table.
    #[schemars(schema_with = "text")]
    provider: (),
    /// How long the provider remembers our key.
    #[schemars(schema_with = "duration")]
    key_lifetime: (),
    /// How long one call may take.
    #[schemars(schema_with = "duration")]
    timeout: (),
    /// Calls within one attempt (default 1).
    #[schemars(schema_with = "count")]
    tries: (),
    /// Who decides when nobody knows whether it happened.
    #[schemars(schema_with = "word::<crate::OnAmbiguous>")]
    on_ambiguous: (),
    /// The function that asks, with `on_ambiguous = "probe"`.
    #[schemars(schema_with = "text")]
    probe: (),
}

/// How events that arrive out of order are told apart.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require("entity version"))]
struct Ordering {
    /// What the events are about: one field or several.
    #[schemars(schema_with = "name_or_names")]
    entity: (),
    /// The field that grows with each event of one entity.
    #[schemars(schema_with = "text")]
    version: (),
    /// What decides where the version is coarse.
    #[schemars(schema_with = "text")]
    tie_breaker: (),
    /// What happens to an event that is older than what is stored.
    #[schemars(schema_with = "acknowledge")]
    when_stale: (),
}

/// What is kept of a response.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Response {
    /// The whole response (default), or only that it succeeded.
    #[schemars(schema_with = "word::<crate::Keep>")]
    keep: (),
    /// Larger responses leave a tombstone.
    #[schemars(schema_with = "size")]
    max_bytes: (),
    /// Fields of the result that are not stored.
    #[schemars(schema_with = "names")]
    redact: (),
}

/// Who settles what the machine cannot.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct DeadLetter {
    /// Who is paged.
    #[schemars(schema_with = "text")]
    owner: (),
    /// Where it is said.
    #[schemars(schema_with = "text")]
    channel: (),
    /// By when it is settled.
    #[schemars(schema_with = "duration")]
    deadline: (),
}

/// How expired rows are removed.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Cleanup {
    /// The pause between two sweeps.
    #[schemars(schema_with = "duration")]
    every: (),
    /// Rows removed in one go.
    #[schemars(schema_with = "count")]
    batch: (),
}

/// Strategy `upsert`: a unique column remembers.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Upsert {
    /// The columns of the unique constraint.
    #[schemars(schema_with = "names")]
    conflict_target: (),
}

/// Strategy `entity`: the entity's own row remembers.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct Entity {
    /// The field that names the entity.
    #[schemars(schema_with = "text")]
    field: (),
    /// What the row remembers.
    #[schemars(schema_with = "word::<crate::EntityMemory>")]
    memory: (),
}

/// Strategy `external`: a store without a shared transaction remembers.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require(""))]
struct External {
    /// The store, such as `redis`.
    #[schemars(schema_with = "text")]
    store: (),
}

/// A finding that is wrong here.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = require("rule reason"))]
struct Allow {
    /// The rule to silence.
    #[schemars(schema_with = "text")]
    rule: (),
    /// The payload field it is silenced for; without one, the whole rule.
    #[schemars(schema_with = "text")]
    field: (),
    /// Why the finding is wrong here.
    #[schemars(schema_with = "text")]
    reason: (),
    /// The last day on which it holds (UTC).
    #[schemars(schema_with = "date")]
    until: (),
}

#[cfg(test)]
mod tests;
