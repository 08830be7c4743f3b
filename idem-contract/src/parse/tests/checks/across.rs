//! Settings that must fit each other.

use super::{CLAIM, EFFECT, clean, effect, found, one, told};
use crate::Strategy;
use crate::rules::examples::contract;

#[test]
fn two_effects_of_one_name_are_told_apart() {
    one(
        &format!("{EFFECT}{EFFECT}"),
        "invalid-value effects.refunds.name",
    );
    clean(&format!(
        "{EFFECT}[[effects]]\nname = \"other\"\nkind = \"local\"\n"
    ));
}

#[test]
fn effects_need_a_name_and_a_kind() {
    one(
        "[[effects]]\nkind = \"local\"\n",
        "missing-field effects.1.name",
    );
    one(
        "[[effects]]\nname = \"mail\"\n",
        "missing-field effects.mail.kind",
    );
}

#[test]
fn a_probe_has_a_name_and_is_asked() {
    clean(&effect("on_ambiguous = \"probe\"\nprobe = \"ask\""));
    clean(&effect("on_ambiguous = \"dead-letter\""));
    one(
        &effect("on_ambiguous = \"probe\""),
        "missing-field effects.refunds.probe",
    );
    one(
        &effect("on_ambiguous = \"dead-letter\"\nprobe = \"ask\""),
        "invalid-value effects.refunds.probe",
    );
    one(
        &effect("probe = \"ask\""),
        "invalid-value effects.refunds.probe",
    );
}

#[test]
fn previous_recipes_are_older_and_each_described_once() {
    let previous =
        |version: u32| format!("[[key.previous]]\nversion = {version}\nfields = [\"refund_id\"]\n");
    clean(&previous(1));
    clean(&format!("version = 3\n{}{}", previous(1), previous(2)));
    for version in [2, 3] {
        one(&previous(version), "invalid-value key.previous.version");
    }
    one(
        &format!("{}{}", previous(1), previous(1)),
        "invalid-value key.previous.version",
    );
    assert_eq!(
        told("[[key.previous]]\nuntil = 2027-03-01\n"),
        [
            "missing-field key.previous.version",
            "missing-field key.previous.fields"
        ]
    );
}

#[test]
fn the_tenant_is_declared_and_part_of_the_key() {
    clean("[key]\nfields = [\"tenant_id\", \"refund_id\"]\ntenant = \"tenant_id\"\n");
    one(
        "[key]\nfields = [\"tenant_id\", \"refund_id\"]\ntenant = \"order_id\"\n",
        "invalid-value key.tenant",
    );
    one(
        "[key]\nfields = [\"tenant_id\", \"refund_id\"]\ntenant = \"tenant\"\n",
        "undeclared-field key.tenant",
    );
}

#[test]
fn names_outside_the_payload_are_declared() {
    for (snippet, path) in [
        (
            "[request]\nhash = [\"amuont\"]\n".to_owned(),
            "request.hash",
        ),
        (
            "[request]\nhash = \"all\"\nignore = [\"when\"]\n".to_owned(),
            "request.ignore",
        ),
        (
            "[ordering]\nentity = \"order\"\nversion = \"sequence\"\n".to_owned(),
            "ordering.entity",
        ),
        (
            "[ordering]\nentity = [\"order_id\", \"x\"]\nversion = \"sequence\"\n".to_owned(),
            "ordering.entity",
        ),
        (
            "[ordering]\nentity = \"order_id\"\nversion = \"x\"\n".to_owned(),
            "ordering.version",
        ),
        (
            "[ordering]\nentity = \"order_id\"\nversion = \"sequence\"\ntie_breaker = \"x\"\n"
                .to_owned(),
            "ordering.tie_breaker",
        ),
        (
            "[[allow]]\nrule = \"no-key\"\nfield = \"x\"\nreason = \"r\"\n".to_owned(),
            "allow.field",
        ),
    ] {
        one(&snippet, &format!("undeclared-field {path}"));
    }
    let near = found("[request]\nhash = [\"amuont\"]\n");
    assert_eq!(
        near[0].fix.as_ref().expect("a fix").edits[0].text,
        "\"amount\""
    );
    clean(
        "[ordering]\nentity = \"order_id\"\nversion = \"sequence\"\ntie_breaker = \"refund_id\"\n",
    );
    clean("[response]\nredact = [\"anything\"]\n");
}

#[test]
fn a_field_is_hashed_or_ignored() {
    clean("[request]\nhash = [\"amount\"]\nignore = [\"occurred_at\"]\n");
    one(
        "[request]\nhash = [\"amount\"]\nignore = [\"amount\"]\n",
        "invalid-value request.ignore",
    );
}

#[test]
fn ordering_names_what_and_by_what() {
    assert_eq!(
        told("[ordering]\n"),
        [
            "missing-field ordering.entity",
            "missing-field ordering.version"
        ]
    );
    clean(
        "[ordering]\nentity = [\"order_id\", \"tenant_id\"]\nversion = \"sequence\"\nwhen_stale = \"acknowledge\"\n",
    );
}

#[test]
fn a_schedule_always_repeats() {
    clean("[trigger]\nkind = \"schedule\"\n");
    clean("[trigger]\nkind = \"schedule\"\nrepeats = true\n");
    clean("[trigger]\nkind = \"webhook\"\nrepeats = false\n");
    one(
        "[trigger]\nkind = \"schedule\"\nrepeats = false\n",
        "invalid-value trigger.repeats",
    );
}

#[test]
fn a_strategy_has_its_own_table_and_no_other() {
    clean("strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n");
    clean("strategy = \"entity\"\n[entity]\nfield = \"order_id\"\nmemory = \"last_version\"\n");
    clean("strategy = \"external\"\n[external]\nstore = \"redis\"\n");
    assert_eq!(
        told("strategy = \"entity\"\n"),
        ["missing-field entity.field", "missing-field entity.memory"]
    );
    one(
        "strategy = \"entity\"\n[entity]\nfield = \"order_id\"\n",
        "missing-field entity.memory",
    );
    one("strategy = \"external\"\n", "missing-field external.store");
    one(
        "[upsert]\nconflict_target = [\"order_id\"]\n",
        "invalid-value upsert",
    );
    one("[external]\nstore = \"redis\"\n", "invalid-value external");
    one(
        "[entity]\nfield = \"order_id\"\nmemory = \"processed_ids\"\n",
        "invalid-value entity",
    );
    one(
        &format!("strategy = \"upsert\"\n[upsert]\nconflict_target = [\"order_id\"]\n{CLAIM}"),
        "invalid-value claim",
    );
    one(
        "strategy = \"sideways\"\n[upsert]\nconflict_target = [\"order_id\"]\n",
        "unknown-value strategy",
    );
    assert_eq!(contract("").strategy(), Strategy::Table);
}

#[test]
fn an_allow_names_a_rule() {
    one("[[allow]]\nreason = \"r\"\n", "missing-field allow.rule");
    one(
        "[[allow]]\nrule = \"no-such\"\nreason = \"r\"\n",
        "unknown-value allow.rule",
    );
    one(
        "[[allow]]\nrule = 5\nreason = \"r\"\n",
        "wrong-type allow.rule",
    );
    one(
        "[[allow]]\nrule = \"no-key\"\nreason = 5\n",
        "wrong-type allow.reason",
    );
    clean("[[allow]]\nrule = \"no-key\"\nfield = \"amount\"\nreason = \"r\"\nuntil = 2027-06-30\n");
}
