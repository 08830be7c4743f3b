//! Fields that hold personal data or a secret.

use crate::{Field, Span, name};

/// Why a field is taken for one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason {
    /// `personal = true`.
    Declared(Span),
    /// Its name is one of personal data.
    Person(Span),
    /// Its name is one of a secret.
    Secret(Span),
}

impl Reason {
    /// What the field is.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Declared(_) | Self::Person(_) => "personal data",
            Self::Secret(_) => "a secret",
        }
    }

    /// The declaration that shows it.
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Declared(span) | Self::Person(span) | Self::Secret(span) => span,
        }
    }

    /// The label of that declaration.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Declared(_) => "says so",
            Self::Person(_) | Self::Secret(_) => "declared here",
        }
    }
}

/// Why the field is personal or secret; `personal = false` overrules its name.
pub(crate) fn reason(field: &Field) -> Option<Reason> {
    const PEOPLE: &[&str] = &[
        "address",
        "birth_date",
        "card_number",
        "date_of_birth",
        "dob",
        "e_mail",
        "email",
        "email_address",
        "family_name",
        "first_name",
        "full_name",
        "given_name",
        "iban",
        "last_name",
        "msisdn",
        "pan",
        "passport_number",
        "phone",
        "phone_number",
        "postal_address",
        "social_security_number",
        "ssn",
        "street",
        "surname",
    ];
    const SECRETS: &[&str] = &[
        "access_key",
        "api_key",
        "client_secret",
        "cvc",
        "cvv",
        "passwd",
        "password",
        "private_key",
        "secret",
    ];
    match field.personal.given() {
        Some(personal) if personal.value => return Some(Reason::Declared(personal.span)),
        Some(_) => return None,
        None => {}
    }
    let name = name::plain(&field.name.value);
    if PEOPLE.contains(&name.as_ref()) {
        Some(Reason::Person(field.name.span))
    } else if SECRETS.contains(&name.as_ref()) {
        Some(Reason::Secret(field.name.span))
    } else {
        None
    }
}
