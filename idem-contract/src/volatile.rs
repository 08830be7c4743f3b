//! Fields that differ between two honest deliveries of one request.

use crate::unstable::{self, Level};
use crate::{Field, FieldType, Origin, Role, Span, name};

/// Why a field differs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason {
    /// Its type is a time.
    Time(Span),
    /// The contract says so.
    Origin(Span, Origin),
    /// Its name says so.
    Name(Span),
}

impl Reason {
    /// What to say after "is in the request hash, and …".
    pub(crate) fn text(self) -> String {
        match self {
            Self::Time(_) => "it is a time".to_owned(),
            Self::Origin(_, origin) => format!("its origin is `{}`", origin.as_str()),
            Self::Name(_) => "by its name it belongs to one attempt".to_owned(),
        }
    }

    /// The declaration that shows it.
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Time(span) | Self::Origin(span, _) | Self::Name(span) => span,
        }
    }

    /// The label of that declaration.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Time(_) => "declared as a time",
            Self::Origin(..) => "says that it changes",
            Self::Name(_) => "declared here",
        }
    }
}

/// Why two deliveries of one request differ in this field; `None` where nothing says so.
pub(crate) fn reason(field: &Field) -> Option<Reason> {
    if let Some(origin) = field.origin.given() {
        let changes = matches!(
            origin.value,
            Origin::Clock
                | Origin::Random
                | Origin::Attempt
                | Origin::Position
                | Origin::Environment
        );
        if changes {
            return Some(Reason::Origin(origin.span, origin.value));
        }
    }
    if let Some(kind) = field.kind.given()
        && kind.value == FieldType::Timestamp
    {
        return Some(Reason::Time(kind.span));
    }
    let name = &field.name.value;
    let denied = unstable::lookup(Role::Field, name::last_segment(name))
        .is_some_and(|entry| entry.level == Level::Deny);
    let signed = matches!(name::last_word(name).as_str(), "signature" | "hmac");
    (denied || signed).then_some(Reason::Name(field.name.span))
}
