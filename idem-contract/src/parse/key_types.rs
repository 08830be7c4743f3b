//! A key is text: which types have none.

use super::decoder::Decoder;
use crate::{Contract, FieldType, rules};

impl Decoder<'_, '_> {
    /// An object or a list has no one text, so no part of a key can be of that type.
    pub(super) fn check_key_types(&mut self, contract: &Contract) {
        for name in contract.key.fields.get().into_iter().flatten() {
            let kind = contract
                .field(&name.value)
                .and_then(|field| field.kind.given());
            let Some(kind) = kind else {
                continue;
            };
            if !matches!(kind.value, FieldType::Object | FieldType::Array) {
                continue;
            }
            self.report(
                &rules::WRONG_TYPE,
                name.span,
                format!("key.fields.{}", name.value),
                format!("`{}` is an {} and has no key text", name.value, kind.value.as_str()),
                "the order of its members may vary, and the same value gives two keys",
                "write one of its members as the part (`\"customer.id\"`), declared in `[payload]` by that name",
            )
            .also(kind.span, "declared here");
        }
    }
}
