//! A key, whether a contract or an attribute states it: the one shape that key rules see.

use crate::{Contract, Field, FieldType, Origin, Setting, Span, refusal};

/// The longest key text that is stored as it is, in bytes: `Key::MAX_BYTES` of the runtime. A
/// longer one is stored as a digest.
pub const MAX_KEY_BYTES: usize = 255;

/// A key as a list of parts.
#[derive(Clone, Debug)]
pub struct KeyExpr {
    /// Where it was written.
    pub place: KeyPlace,
    /// The whole key.
    pub span: Span,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

impl KeyExpr {
    /// The dotted path of a part, for a finding about it.
    #[must_use]
    pub fn path(&self, part: &Part) -> String {
        match self.place {
            KeyPlace::Contract => format!("key.fields.{}", part.name),
            KeyPlace::PreviousRecipe => format!("key.previous.fields.{}", part.name),
            KeyPlace::Attribute => format!("key.{}", part.name),
        }
    }

    /// Whether no part comes from the event: each is a constant, or says only which event type or
    /// which log this is. False where a part is refused for another reason.
    pub(crate) fn is_constant(&self) -> bool {
        !self.parts.is_empty()
            && self
                .parts
                .iter()
                .all(|part| part.is_constant() && !refusal::is_refused(part))
    }
}

/// Where a key was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// `[key] fields` of a contract; spans are bytes.
    Contract,
    /// `[[key.previous]]` of a contract.
    PreviousRecipe,
    /// `key = (…)` of an attribute; spans are token numbers.
    Attribute,
}

/// One part of a key.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name the part goes by: the payload field, or the path behind the argument
    /// (`event.customer.id` is `customer.id`). For other expressions, their text.
    pub name: String,
    /// What the part is made of.
    pub kind: PartKind,
    /// What the contract says of the field, where there is one.
    pub field_type: Option<FieldType>,
    /// Where the contract says the value is born.
    pub origin: Option<Origin>,
    /// Whether the value may be missing.
    pub optional: bool,
    /// The stand-in for a missing value, as written, where the contract states one.
    pub default: Option<String>,
    /// Every name mentioned inside the part, outermost first: fields, arguments, calls, methods,
    /// macros, paths. A contract's part mentions its field's segments.
    pub mentions: Vec<Mention>,
    /// `trust(expr, reason = "…")` around it: shape and purity are the author's word.
    pub trusted: bool,
    /// The whole part.
    pub span: Span,
    /// Where the contract declares the field: only for a key that is written in the same file.
    pub declared: Option<Declared>,
}

impl Part {
    /// A part of which nothing more is known.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: PartKind, span: Span) -> Self {
        Self {
            name: name.into(),
            kind,
            field_type: None,
            origin: None,
            optional: false,
            default: None,
            mentions: Vec::new(),
            trusted: false,
            span,
            declared: None,
        }
    }

    /// Takes over what a contract says of the field behind this part: type, origin, whether it may
    /// be missing, and its stand-in.
    #[must_use]
    pub fn declared_as(mut self, field: &Field) -> Self {
        self.field_type = field.kind.get().copied();
        self.origin = field.origin.get().copied();
        self.optional = field.required.get() == Some(&false);
        self.default = field.default.get().map(|default| default.text.clone());
        self
    }

    /// The part that a contract's key names: a payload field, and what is declared of it.
    pub(crate) fn of_field(name: &str, span: Span, field: Option<&Field>) -> Self {
        let mut part = Self::new(name, PartKind::Field, span);
        let mut end = 0;
        for segment in name.split('.') {
            end += segment.len();
            part.mentions.push(Mention {
                role: Role::Field,
                name: segment.to_owned(),
                path: name[..end].to_owned(),
                span,
            });
            end += 1;
        }
        let Some(field) = field else {
            return part;
        };
        let mut part = part.declared_as(field);
        if part.field_type == Some(FieldType::Enum)
            && field.values.get().is_some_and(|values| values.len() == 1)
        {
            part.kind = PartKind::Constant;
        }
        part.declared = Some(Declared {
            name: field.name.span,
            kind: given(&field.kind),
            origin: given(&field.origin),
            required: given(&field.required),
            default: given(&field.default),
        });
        part
    }
}

impl Part {
    fn is_constant(&self) -> bool {
        let mentions_event = self
            .mentions
            .iter()
            .any(|mention| matches!(mention.role, Role::Field | Role::Argument));
        match self.kind {
            PartKind::Constant => true,
            PartKind::Field => {
                matches!(self.origin, Some(Origin::EventType | Origin::LogGeneration))
            }
            PartKind::Call | PartKind::Joined | PartKind::Other => !mentions_event,
        }
    }
}

/// Where the contract declares the field behind a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The field's name.
    pub name: Span,
    /// Its `type`.
    pub kind: Option<Span>,
    /// Its `origin`.
    pub origin: Option<Span>,
    /// Its `required`.
    pub required: Option<Span>,
    /// Its `default`.
    pub default: Option<Span>,
}

/// What a part is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A payload field, an argument, or a field path that starts at one.
    Field,
    /// A literal, a `const` or a `static`, or a field of an enum with one value: the same for every event.
    Constant,
    /// A call or method call.
    Call,
    /// `format!`, `+`, `concat`, `join`: several values made into one text.
    Joined,
    /// Anything else that was written.
    Other,
}

/// A name inside a part.
#[derive(Clone, Debug)]
pub struct Mention {
    /// What the name stands for.
    pub role: Role,
    /// The last segment: `now` of `chrono::Utc::now`.
    pub name: String,
    /// The path as written, segments joined by `::`. For a field: from the argument (or the first
    /// segment of a contract's name) up to and including this segment, joined by `.`, so that
    /// `event.build` inside `event.build.id` is seen to be no more than a step on the way.
    pub path: String,
    /// Where.
    pub span: Span,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A field, in Rust or in a payload.
    Field,
    /// An argument of the handler (or `self`).
    Argument,
    /// The function of a call, or a path passed as a function.
    Call,
    /// The method of a method call.
    Method,
    /// The name of a macro.
    Macro,
    /// Any other path: a constant, a type.
    Path,
}

/// The key of a contract, as the key rules see it; `None` where no key fields could be read.
#[must_use]
pub fn key_expr(contract: &Contract) -> Option<KeyExpr> {
    let fields = contract.key.fields.given()?;
    Some(KeyExpr {
        place: KeyPlace::Contract,
        span: fields.span,
        parts: fields
            .value
            .iter()
            .map(|name| Part::of_field(&name.value, name.span, contract.field(&name.value)))
            .collect(),
    })
}

fn given<T>(setting: &Setting<T>) -> Option<Span> {
    setting.given().map(|given| given.span)
}
