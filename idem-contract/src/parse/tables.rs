//! One reader for each table of the format.

use super::decoder::{At, Decoder};
use super::keys::{
    AllowKey, ClaimKey, CleanupKey, DeadLetterKey, EffectKey, EntityKey, ExternalKey, KeyKey,
    OrderingKey, PreviousKeyKey, RequestKey, ResponseKey, TriggerKey, UpsertKey,
};
use super::poison::Poison;
use super::tree::{Defined, Entry, TableId, Value};
use crate::{
    Allow, BusyPolicy, Claim, Cleanup, DeadLetter, Effect, Entity, External, HashSpec, Header, Key,
    Ordering, PreviousKey, Request, Response, Setting, Spanned, Trigger, Upsert, Window,
};

impl<'t, 's> Decoder<'t, 's> {
    /// The table under `entry` and what it starts from; a wrong shape makes every setting
    /// unreadable, so that no rule speaks of its absence.
    fn start<T: Default + Poison>(
        &mut self,
        entry: &Entry<'s>,
        name: &'static str,
    ) -> Result<(TableId, T), T> {
        match self.one_table(entry, name) {
            Some(id) => Ok((id, T::default())),
            None => {
                let mut empty = T::default();
                empty.poison(entry.node.span);
                Err(empty)
            }
        }
    }

    /// The header of a table that was written itself, not only as the `a` of `[a.b]`.
    fn own_header(&self, id: TableId) -> Option<Header> {
        (self.table(id).defined != Defined::Implicit).then(|| self.header(id))
    }

    pub(super) fn trigger(&mut self, entry: &'t Entry<'s>) -> Trigger {
        let at = At::of("trigger");
        let (id, mut trigger) = match self.start::<Trigger>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        trigger.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            TriggerKey::Kind => trigger.kind = this.word(at, entry),
            TriggerKey::Source => trigger.source = this.string(at, entry),
            TriggerKey::RedeliversFor => trigger.redelivers_for = this.duration(at, entry),
            TriggerKey::DeadLetterFor => trigger.dead_letter_for = this.duration(at, entry),
            TriggerKey::RedriveFor => trigger.redrive_for = this.duration(at, entry),
            TriggerKey::Ordered => trigger.ordered = this.boolean(at, entry),
            TriggerKey::Repeats => trigger.repeats = this.boolean(at, entry),
            TriggerKey::Events => {
                let help = "name the event types, or take the line out when there is only one";
                trigger.events = this.distinct(at, entry, help);
            }
            TriggerKey::FanOut => trigger.fan_out = this.boolean(at, entry),
            TriggerKey::Consumer => trigger.consumer = this.name(at, entry),
        });
        trigger
    }

    pub(super) fn key(&mut self, entry: &'t Entry<'s>) -> Key {
        let at = At::of("key");
        let (id, mut key) = match self.start::<Key>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        key.header = self.own_header(id);
        self.each(id, at, |this, name, entry| match name {
            KeyKey::Fields => key.fields = this.names(at, entry),
            KeyKey::Tenant => key.tenant = this.string(at, entry),
            KeyKey::Previous => {
                let (ids, _) = this.many_tables(entry, "key.previous");
                key.previous = ids.into_iter().map(|id| this.previous_key(id)).collect();
            }
        });
        key
    }

    fn previous_key(&mut self, id: TableId) -> PreviousKey {
        let at = At::of("key.previous");
        let mut previous = PreviousKey {
            header: self.header(id),
            version: Setting::Absent,
            fields: Setting::Absent,
            until: Setting::Absent,
        };
        self.each(id, at, |this, key, entry| match key {
            PreviousKeyKey::Version => previous.version = this.count(at, entry),
            PreviousKeyKey::Fields => {
                let help = "name the fields that the older key was made of";
                previous.fields = this.distinct(at, entry, help);
            }
            PreviousKeyKey::Until => previous.until = this.date(at, entry),
        });
        previous
    }

    pub(super) fn request(&mut self, entry: &'t Entry<'s>) -> Request {
        let at = At::of("request");
        let (id, mut request) = match self.start::<Request>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        request.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            RequestKey::Hash => request.hash = this.hash(at, entry),
            RequestKey::Ignore => request.ignore = this.set(at, entry),
        });
        request
    }

    fn hash(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<HashSpec> {
        let span = entry.node.span;
        if let Value::String(text) = &entry.node.value {
            let spec = match &**text {
                "all" => HashSpec::All,
                "none" => HashSpec::None,
                other => {
                    let path = at.path(&entry.key);
                    self.unknown_value(span, path, other, ["all", "none"].into_iter())
                        .help
                        .push_str("; a list of fields is written `[\"…\"]`");
                    return Setting::Unreadable(span);
                }
            };
            return Setting::Given(Spanned::new(spec, span));
        }
        // That an empty list covers nothing is for `missing-request-hash` to say.
        match self.set(at, entry) {
            Setting::Given(given) => {
                Setting::Given(Spanned::new(HashSpec::Fields(given.value), given.span))
            }
            Setting::Unreadable(span) => Setting::Unreadable(span),
            Setting::Absent => Setting::Absent,
        }
    }

    pub(super) fn claim(&mut self, entry: &'t Entry<'s>) -> Claim {
        let at = At::of("claim");
        let (id, mut claim) = match self.start::<Claim>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        claim.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            ClaimKey::Lease => claim.lease = this.duration(at, entry),
            ClaimKey::Window => claim.window = this.window(at, entry),
            ClaimKey::MaxAttempts => claim.max_attempts = this.count(at, entry),
            ClaimKey::Backoff => claim.backoff = this.duration_or_zero(at, entry),
            ClaimKey::Heartbeat => claim.heartbeat = this.boolean(at, entry),
            ClaimKey::Busy => claim.busy = this.busy(at, entry),
            ClaimKey::Outage => claim.outage = this.word(at, entry),
            ClaimKey::Mode => claim.mode = this.word(at, entry),
        });
        claim
    }

    fn window(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<Window> {
        if let Value::String(text) = &entry.node.value
            && text == "forever"
        {
            return Setting::Given(Spanned::new(Window::Forever, entry.node.span));
        }
        match self.duration(at, entry) {
            Setting::Given(given) => {
                Setting::Given(Spanned::new(Window::For(given.value), given.span))
            }
            Setting::Unreadable(span) => Setting::Unreadable(span),
            Setting::Absent => Setting::Absent,
        }
    }

    fn busy(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<BusyPolicy> {
        let span = entry.node.span;
        let path = || at.path(&entry.key);
        let Value::String(text) = &entry.node.value else {
            return match self.string(at, entry) {
                Setting::Given(_) | Setting::Unreadable(_) => Setting::Unreadable(span),
                Setting::Absent => Setting::Absent,
            };
        };
        let policy = match &**text {
            "reject" => BusyPolicy::Reject,
            "wait" => BusyPolicy::Wait(None),
            other => {
                let Some(bound) = other.strip_prefix("wait ") else {
                    self.unknown_value(span, path(), other, ["reject", "wait 2s"].into_iter());
                    return Setting::Unreadable(span);
                };
                match self.parse_duration(bound.trim(), span, path) {
                    None => return Setting::Unreadable(span),
                    Some(bound) if bound.is_zero() => {
                        self.invalid(
                            span,
                            path(),
                            "a wait of zero",
                            "who does not wait is told to come again at once",
                            "write `\"reject\"`, or a longer wait such as `\"wait 2s\"`",
                        );
                        return Setting::Unreadable(span);
                    }
                    Some(bound) => BusyPolicy::Wait(Some(bound)),
                }
            }
        };
        Setting::Given(Spanned::new(policy, span))
    }

    pub(super) fn effect(&mut self, id: TableId, number: usize) -> Effect {
        let number = number.to_string();
        let name = match self.table(id).get("name").map(|entry| &entry.node.value) {
            Some(Value::String(name)) if !name.is_empty() => name,
            _ => &*number,
        };
        let at = At {
            table: "effects",
            item: Some(name),
        };
        let mut effect = Effect {
            header: self.header(id),
            name: Setting::Absent,
            kind: Setting::Absent,
            store: Setting::Absent,
            target: Setting::Absent,
            change: Setting::Absent,
            key_header: Setting::Absent,
            provider: Setting::Absent,
            key_lifetime: Setting::Absent,
            timeout: Setting::Absent,
            tries: Setting::Absent,
            on_ambiguous: Setting::Absent,
            probe: Setting::Absent,
        };
        let misplaced = self.misplaced.len();
        self.each(id, at, |this, key, entry| match key {
            EffectKey::Name => effect.name = this.name(at, entry),
            EffectKey::Kind => effect.kind = this.word(at, entry),
            EffectKey::Store => effect.store = this.string(at, entry),
            EffectKey::Target => effect.target = this.string(at, entry),
            EffectKey::Change => effect.change = this.word(at, entry),
            EffectKey::KeyHeader => effect.key_header = this.string(at, entry),
            EffectKey::Provider => effect.provider = this.string(at, entry),
            EffectKey::KeyLifetime => effect.key_lifetime = this.duration(at, entry),
            EffectKey::Timeout => effect.timeout = this.duration(at, entry),
            EffectKey::Tries => effect.tries = this.count(at, entry),
            EffectKey::OnAmbiguous => effect.on_ambiguous = this.word(at, entry),
            EffectKey::Probe => effect.probe = this.string(at, entry),
        });
        self.settle_own(misplaced, "effects", &mut effect);
        self.required(
            at,
            effect.header,
            &[
                (
                    "name",
                    effect.name.is_absent(),
                    "a name of its own, such as `name = \"orders\"`",
                ),
                (
                    "kind",
                    effect.kind.is_absent(),
                    "`kind = \"local\"`, `\"keyed-remote\"`, `\"remote\"` or `\"irreversible\"`",
                ),
            ],
        );
        effect
    }

    pub(super) fn ordering(&mut self, entry: &'t Entry<'s>) -> Ordering {
        let at = At::of("ordering");
        let (id, mut ordering) = match self.start::<Ordering>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        ordering.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            OrderingKey::Entity => {
                ordering.entity = if let Value::String(_) = &entry.node.value {
                    match this.string(at, entry) {
                        Setting::Given(given) => {
                            let span = given.span;
                            Setting::Given(Spanned::new(vec![given], span))
                        }
                        Setting::Unreadable(span) => Setting::Unreadable(span),
                        Setting::Absent => Setting::Absent,
                    }
                } else {
                    this.distinct(
                        at,
                        entry,
                        "name the field whose events must keep their order",
                    )
                };
            }
            OrderingKey::Version => ordering.version = this.string(at, entry),
            OrderingKey::TieBreaker => ordering.tie_breaker = this.string(at, entry),
            OrderingKey::WhenStale => {
                ordering.when_stale = this.string(at, entry);
                if let Setting::Given(given) = &ordering.when_stale
                    && given.value != "acknowledge"
                {
                    let span = given.span;
                    let words = ["acknowledge"].into_iter();
                    this.unknown_value(span, at.path("when_stale"), &given.value, words);
                    ordering.when_stale = Setting::Unreadable(span);
                }
            }
        });
        ordering
    }

    pub(super) fn response(&mut self, entry: &'t Entry<'s>) -> Response {
        let at = At::of("response");
        let (id, mut response) = match self.start::<Response>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        response.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            ResponseKey::Keep => response.keep = this.word(at, entry),
            ResponseKey::MaxBytes => response.max_bytes = this.size(at, entry),
            ResponseKey::Redact => response.redact = this.set(at, entry),
        });
        response
    }

    pub(super) fn dead_letter(&mut self, entry: &'t Entry<'s>) -> DeadLetter {
        let at = At::of("dead_letter");
        let (id, mut dead_letter) = match self.start::<DeadLetter>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        dead_letter.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            DeadLetterKey::Owner => dead_letter.owner = this.string(at, entry),
            DeadLetterKey::Channel => dead_letter.channel = this.string(at, entry),
            DeadLetterKey::Deadline => dead_letter.deadline = this.duration(at, entry),
        });
        dead_letter
    }

    pub(super) fn cleanup(&mut self, entry: &'t Entry<'s>) -> Cleanup {
        let at = At::of("cleanup");
        let (id, mut cleanup) = match self.start::<Cleanup>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        cleanup.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            CleanupKey::Every => cleanup.every = this.duration(at, entry),
            CleanupKey::Batch => cleanup.batch = this.count(at, entry),
        });
        cleanup
    }

    pub(super) fn upsert(&mut self, entry: &'t Entry<'s>) -> Upsert {
        let at = At::of("upsert");
        let (id, mut upsert) = match self.start::<Upsert>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        upsert.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            UpsertKey::ConflictTarget => {
                // An empty list is the matter of `upsert-without-conflict-target`.
                upsert.conflict_target = this.names(at, entry);
                if let Setting::Given(given) = &upsert.conflict_target {
                    this.none_twice(&given.value, || at.path(&entry.key));
                }
            }
        });
        upsert
    }

    pub(super) fn entity(&mut self, entry: &'t Entry<'s>) -> Entity {
        let at = At::of("entity");
        let (id, mut entity) = match self.start::<Entity>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        entity.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            EntityKey::Field => entity.field = this.string(at, entry),
            EntityKey::Memory => entity.memory = this.word(at, entry),
        });
        entity
    }

    pub(super) fn external(&mut self, entry: &'t Entry<'s>) -> External {
        let at = At::of("external");
        let (id, mut external) = match self.start::<External>(entry, at.table) {
            Ok(start) => start,
            Err(unreadable) => return unreadable,
        };
        external.header = self.own_header(id);
        self.each(id, at, |this, key, entry| match key {
            ExternalKey::Store => external.store = this.external_store(at, entry),
        });
        external
    }

    /// A store that outlives the process and is the same for every replica.
    fn external_store(&mut self, at: At<'_>, entry: &Entry<'_>) -> Setting<String> {
        let store = self.string(at, entry);
        let Some(name) = store.given().filter(|name| {
            matches!(
                name.value.to_ascii_lowercase().as_str(),
                "memory" | "in-memory" | "hashmap" | "process" | "local"
            )
        }) else {
            return store;
        };
        self.invalid(
            name.span,
            at.path(&entry.key),
            format!("`{}` is the memory of one process", name.value),
            "a restart forgets every key, and each replica remembers only its own",
            "write `store = \"redis\"`, or `strategy = \"table\"` beside a database",
        );
        Setting::Unreadable(name.span)
    }

    pub(super) fn allow(&mut self, id: TableId) -> Allow {
        let at = At::of("allow");
        let mut allow = Allow {
            header: self.header(id),
            rule: Setting::Absent,
            field: Setting::Absent,
            reason: Setting::Absent,
            until: Setting::Absent,
        };
        let misplaced = self.misplaced.len();
        self.each(id, at, |this, key, entry| match key {
            AllowKey::Rule => allow.rule = this.string(at, entry),
            AllowKey::Field => allow.field = this.string(at, entry),
            AllowKey::Reason => {
                // A blank reason is no reason: `allow-without-reason` says so.
                let is_blank = matches!(&entry.node.value,
                    Value::String(text) if text.trim().is_empty());
                allow.reason = if is_blank {
                    Setting::Absent
                } else {
                    this.string(at, entry)
                };
            }
            AllowKey::Until => allow.until = this.date(at, entry),
        });
        self.settle_own(misplaced, "allow", &mut allow);
        self.required(
            at,
            allow.header,
            &[(
                "rule",
                allow.rule.is_absent(),
                "the rule to silence, such as `rule = \"timestamp-in-key\"`",
            )],
        );
        allow
    }

    /// Takes back what `each` noted of this one table of several and applies it at once.
    fn settle_own(&mut self, from: usize, table: &str, settings: &mut impl Poison) {
        let own: Vec<_> = (self.misplaced.drain(from..)).collect();
        for found in own {
            if found.table == table {
                settings.poison(found.span);
            } else {
                self.misplaced.push(found);
            }
        }
    }
}
