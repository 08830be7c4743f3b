//! A subject without a handler: a contract's key, request hash, mode and limits, with one scratch
//! row for each local effect. It shows that the contract's own promises hold on a store, before
//! there is any code.

use std::error::Error as StdError;
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::events::Events;
use super::seen::Seen;
use super::store::DrillStore;
use super::subject::{Subject, Trouble};
use crate::key::{KeyPart, Known, Parts, Stable};
use crate::private::{self, KeyBuilder, Opened, Settled};
use crate::store::Request;
use crate::{Busy, Failure, FailureClass, FieldType, Fingerprint, Key, KeyError, Workflow};

/// A field of a synthetic event, by its dotted name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in the contract.
    pub name: &'static str,
    /// What the contract says it holds.
    pub kind: FieldType,
}

/// A workflow as its contract describes it.
#[derive(Clone, Debug)]
pub struct Scratch<S> {
    workflow: &'static Workflow,
    name: String,
    key: Vec<Field>,
    tenant: Option<Field>,
    hash: Vec<Field>,
    previous: Vec<(u32, SystemTime, Vec<Field>)>,
    effects: Vec<String>,
    events: Events,
    _store: PhantomData<fn() -> S>,
}

impl<S> Scratch<S> {
    /// A workflow with that key, delivered those events. It has no effects yet.
    #[must_use]
    pub fn new(workflow: &'static Workflow, key: Vec<Field>, events: Events) -> Self {
        Self {
            workflow,
            name: workflow.name().to_owned(),
            key,
            tenant: None,
            hash: Vec::new(),
            previous: Vec::new(),
            effects: Vec::new(),
            events,
            _store: PhantomData,
        }
    }

    /// What a child process makes the same subject from; without it, the workflow's name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The field of the key that names the tenant.
    #[must_use]
    pub const fn tenant(mut self, field: Field) -> Self {
        self.tenant = Some(field);
        self
    }

    /// The fields that the request hash covers.
    #[must_use]
    pub fn hash(mut self, fields: Vec<Field>) -> Self {
        self.hash = fields;
        self
    }

    /// A previous key recipe: its version, until when it overlaps, and its fields.
    #[must_use]
    pub fn previous(mut self, version: u32, until: SystemTime, fields: Vec<Field>) -> Self {
        self.previous.push((version, until, fields));
        self
    }

    /// A local effect, by name.
    #[must_use]
    pub fn effect(mut self, name: impl Into<String>) -> Self {
        self.effects.push(name.into());
        self
    }

    fn key_of(&self, event: &Value) -> Result<Key, KeyError> {
        key_of(private::key(self.workflow), &self.key, event)
    }

    fn request_of(&self, event: &Value) -> Result<Request, KeyError> {
        let request = Request::new(self.workflow, self.key_of(event)?, self.hash_of(event)?);
        let tenant = self
            .tenant
            .and_then(|field| value_of(event, field.name).as_str());
        let mut request = match tenant {
            Some(tenant) => request.tenant(tenant),
            None => request,
        };
        for (version, until, fields) in &self.previous {
            let (name, consumer) = (self.workflow.name(), self.workflow.consumer_name());
            let builder = KeyBuilder::scoped(name, consumer, *version);
            if let Ok(key) = key_of(builder, fields, event) {
                request = request.previous(key, *until);
            }
        }
        Ok(request)
    }

    fn hash_of(&self, event: &Value) -> Result<Fingerprint, KeyError> {
        let mut request = private::hasher(self.workflow);
        for field in &self.hash {
            request.field(field.name, field.kind, value_of(event, field.name));
        }
        request.finish()
    }
}

impl<S: DrillStore> Scratch<S> {
    async fn handle(&self, tx: &mut S::Tx, event: &Value) -> Result<Value, ScratchError> {
        let text = event.to_string();
        for effect in &self.effects {
            S::execute(S::connection(tx), S::STATEMENTS.effect, &[effect, &text])
                .await
                .map_err(ScratchError)?;
        }
        Ok(serde_json::json!({ "effects": self.effects }))
    }
}

impl<S: DrillStore> Subject for Scratch<S> {
    type Store = S;

    async fn prepare(&self, store: &S) -> Result<(), Trouble> {
        super::store::change(store, S::STATEMENTS.effects_table).await?;
        Ok(())
    }

    async fn deliver(&self, store: &S, event: &[u8]) -> Seen {
        let event: Value = match serde_json::from_slice(event) {
            Ok(event) => event,
            Err(error) => return Seen::unreadable(&error),
        };
        let request = self.request_of(&event);
        let opened: Opened<'_, S, Value, ScratchError> =
            private::open_request(store, self.workflow, request).await;
        let mut run = match opened {
            Opened::Run(run) => run,
            Opened::Answer(answer) => return Seen::of(&answer),
        };
        loop {
            let (tx, guard) = run.parts();
            let driven = guard.drive(self.handle(tx, &event)).await;
            match run.settle(driven).await {
                Settled::Done(answer) => return Seen::of(&answer),
                Settled::Again(next) => run = next,
            }
        }
    }

    async fn state(&self, store: &S) -> Result<String, Trouble> {
        effects(store).await
    }

    fn events(&self) -> Result<Events, Trouble> {
        Ok(self.events.clone())
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn overlaps(&self) -> bool {
        !self.previous.is_empty()
    }

    fn attempts(&self) -> u32 {
        self.workflow.attempts()
    }

    fn waits(&self) -> Duration {
        match self.workflow.busy() {
            Busy::Reject => Duration::ZERO,
            Busy::Wait(bound) => bound,
        }
    }
}

/// A key of those fields of the event.
fn key_of(mut key: KeyBuilder, fields: &[Field], event: &Value) -> Result<Key, KeyError> {
    for field in fields {
        private::part(&mut key, &Part(field.kind, value_of(event, field.name)));
    }
    private::finish(key)
}

/// The effects performed in a scratch database, one a line.
pub(super) async fn effects<S: DrillStore>(store: &S) -> Result<String, Trouble> {
    let mut transaction = store.unclaimed().await?;
    let rows = S::fetch(&mut transaction, S::STATEMENTS.effects, &[]).await?;
    transaction.rollback().await?;
    let lines: Vec<String> = rows.into_iter().flatten().collect();
    Ok(lines.join("\n"))
}

/// The member of that dotted name; missing is `null`.
fn value_of<'v>(event: &'v Value, name: &str) -> &'v Value {
    name.split('.').fold(event, |value, name| &value[name])
}

/// A key part whose type the contract knows and the compiler does not.
struct Part<'v>(FieldType, &'v Value);

impl Known for Part<'_> {
    type Class = Stable;
}

impl KeyPart for Part<'_> {
    fn encode(&self, parts: &mut Parts) {
        let Self(kind, value) = self;
        match (kind, value) {
            (FieldType::Decimal, Value::String(text)) => parts.decimal(text),
            (FieldType::Decimal, Value::Number(number)) => parts.decimal(&number.to_string()),
            (FieldType::Uuid, Value::String(text)) => parts.text(&text.to_ascii_lowercase()),
            (_, Value::String(text)) => parts.text(text),
            (_, Value::Number(number)) => parts.text(&number.to_string()),
            (_, Value::Bool(value)) => value.encode(parts),
            // Missing, or no part of a key: refused as empty.
            (_, Value::Null | Value::Array(_) | Value::Object(_)) => parts.text(""),
        }
    }
}

/// A scratch row could not be written.
#[derive(Debug)]
struct ScratchError(sqlx::Error);

impl Failure for ScratchError {
    fn class(&self) -> FailureClass {
        FailureClass::NoEffect
    }

    fn store_error(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.0)
    }
}

impl fmt::Display for ScratchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("writing a scratch row")
    }
}
