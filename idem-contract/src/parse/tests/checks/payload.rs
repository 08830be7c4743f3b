//! Declarations, however they are written.

use super::{clean, found, one, payload};
use crate::rules::examples::contract;

#[test]
fn payload_names_are_one_flat_list_however_they_are_written() {
    let names = |lines: &str| -> Vec<String> {
        let contract = contract(&payload(lines));
        contract
            .payload
            .iter()
            .skip(5)
            .map(|field| field.name.value.clone())
            .collect()
    };
    for lines in [
        "\"customer.id\" = { type = \"uuid\" }",
        "customer.id = { type = \"uuid\" }",
        "customer.id.type = \"uuid\"",
        "customer = { id = { type = \"uuid\" } }",
        "[payload.customer]\nid = { type = \"uuid\" }",
        "[payload.customer.id]\ntype = \"uuid\"",
        "[payload.\"customer.id\"]\ntype = \"uuid\"",
    ] {
        assert_eq!(names(lines), ["customer.id"], "{lines}");
        clean(&payload(lines));
    }
    assert_eq!(
        names(
            "b = { type = \"uuid\" }\na.x = { type = \"uuid\" }\n\"a.y\" = { type = \"uuid\" }\na.z = { type = \"uuid\" }"
        ),
        ["b", "a.x", "a.y", "a.z"]
    );
    one(
        &payload("customer.id = { type = \"uuid\" }\n\"customer.id\" = { type = \"uuid\" }"),
        "invalid-value payload.customer.id",
    );
    clean(&payload(
        "customer = { type = \"object\" }\n\"customer.id\" = { type = \"uuid\" }",
    ));
    clean(&payload("\"customer.type\" = { type = \"string\" }"));
    one(
        &payload("customer.type = { type = \"string\" }"),
        "wrong-type payload.customer.type",
    );
}

#[test]
fn a_declaration_has_its_own_members_only() {
    one(&payload("x = {}"), "missing-field payload.x.type");
    one(
        &payload("x = { origin = \"source-id\" }"),
        "missing-field payload.x.type",
    );
    one(
        &payload("x = { type = \"string\", secret = true }"),
        "unknown-field payload.x.secret",
    );
    one(
        &payload("x = { typ = \"string\" }"),
        "unknown-field payload.x.typ",
    );
    one(
        &payload("x = { type = \"object\", id = { type = \"uuid\" } }"),
        "unknown-field payload.x.id",
    );
    one(&payload("x = \"string\""), "wrong-type payload.x");
    one(&payload("x = 5"), "wrong-type payload.x");
    one(&payload("x.y = \"string\""), "wrong-type payload.x.y");
    one(&payload("x = { type = 5 }"), "wrong-type payload.x.type");
    one(
        &payload("x = { type = \"string\", required = \"yes\" }"),
        "wrong-type payload.x.required",
    );
    let short = found(&payload("x = \"string\""));
    assert_eq!(
        short[0].fix.as_ref().expect("a fix").edits[0].text,
        "{ type = \"string\" }"
    );
}

#[test]
fn an_enum_has_values_and_nothing_else_has() {
    one(
        &payload("x = { type = \"enum\" }"),
        "missing-field payload.x.values",
    );
    one(
        &payload("x = { type = \"enum\", values = [] }"),
        "invalid-value payload.x.values",
    );
    one(
        &payload("x = { type = \"enum\", values = [\"a\", \"a\"] }"),
        "invalid-value payload.x.values",
    );
    one(
        &payload("x = { type = \"string\", values = [\"a\"] }"),
        "invalid-value payload.x.values",
    );
}

#[test]
fn a_default_is_a_value_of_its_fields_type() {
    for declaration in [
        "type = \"string\", default = \"x\"",
        "type = \"integer\", default = 5",
        "type = \"boolean\", default = false",
        "type = \"decimal\", default = 1.5",
        "type = \"decimal\", default = \"1.50\"",
        "type = \"float\", default = 1",
        "type = \"date\", default = 2027-01-01",
        "type = \"timestamp\", default = 2027-01-01T00:00:00Z",
        "type = \"enum\", values = [\"a\"], default = \"a\"",
        "type = \"uuid\", default = \"uuid()\"",
        "type = \"integer\", default = \"counter()\"",
    ] {
        clean(&payload(&format!("x = {{ {declaration} }}")));
    }
    for declaration in [
        "type = \"string\", default = 5",
        "type = \"integer\", default = \"5\"",
        "type = \"boolean\", default = \"true\"",
        "type = \"integer\", default = 1.5",
        "type = \"decimal\", default = \"much\"",
        "type = \"object\", default = \"x\"",
        "type = \"string\", default = [\"x\"]",
    ] {
        one(
            &payload(&format!("x = {{ {declaration} }}")),
            "wrong-type payload.x.default",
        );
    }
    one(
        &payload("x = { type = \"enum\", values = [\"a\"], default = \"b\" }"),
        "invalid-value payload.x.default",
    );
    let generated = contract(&payload(
        "x = { type = \"uuid\", default = \"Uuid::new_v4()\" }",
    ));
    let default = generated
        .field("x")
        .and_then(|field| field.default.get())
        .expect("a default");
    assert_eq!(default.generator.as_deref(), Some("Uuid::new_v4"));
}
