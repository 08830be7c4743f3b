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
        "access_token",
        "api_key",
        "api_token",
        "auth_token",
        "bearer_token",
        "client_secret",
        "cvc",
        "cvv",
        "passwd",
        "password",
        "private_key",
        "refresh_token",
        "secret",
    ];
    // Behind whose it is, the name says the same: `customer_email`, `card_iban`.
    const PEOPLE_AT_END: &[&str] = &["_email", "_iban", "_phone", "_phone_number", "_ssn"];
    const SECRETS_AT_END: &[&str] = &["_api_key", "_password", "_secret"];
    match field.personal.given() {
        Some(personal) if personal.value => return Some(Reason::Declared(personal.span)),
        Some(_) => return None,
        None => {}
    }
    let name = name::plain(&field.name.value);
    let is_one = |names: &[&str], ends: &[&str]| {
        names.contains(&name.as_ref()) || ends.iter().any(|end| name.ends_with(end))
    };
    if is_one(PEOPLE, PEOPLE_AT_END) {
        Some(Reason::Person(field.name.span))
    } else if is_one(SECRETS, SECRETS_AT_END) {
        Some(Reason::Secret(field.name.span))
    } else {
        None
    }
}
