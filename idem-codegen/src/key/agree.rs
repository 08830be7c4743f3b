//! The attribute and its contract say the same key.

use idem_contract::Contract;

use super::lower::Lowered;
use crate::handler::tidy;
use crate::near::{list, near};
use crate::report::{At, Refusal};

/// Names each part as the contract does, and says where the two differ.
///
/// `refused` parts are somebody else's finding: they may stand for any missing field.
pub(super) fn agree(
    parts: &mut [Lowered],
    refused: &[bool],
    contract: &Contract,
    whole: At,
) -> Vec<Refusal> {
    let Some(fields) = contract.key.fields.get() else {
        return Vec::new();
    };
    let fields: Vec<&str> = fields.iter().map(|field| field.value.as_str()).collect();
    for lowered in parts.iter_mut() {
        adopt_name(lowered, &fields, contract);
    }
    let mut refusals = Vec::new();
    let mut unknown = 0;
    let mut excused = 0;
    let mut named = Vec::new();
    for (lowered, refused) in parts.iter().zip(refused) {
        if contract.field(&lowered.part.name).is_some() {
            named.push(lowered.part.name.as_str());
        } else if *refused {
            excused += 1;
        } else {
            unknown += 1;
            refusals.push(undeclared(lowered, contract));
        }
    }
    let missing = fields.iter().filter(|field| !named.contains(field)).count();
    let mut once = named.clone();
    once.dedup();
    let strays = named.iter().any(|name| !fields.contains(name));
    let in_order = fields
        .iter()
        .filter(|field| named.contains(field))
        .eq(once.iter());
    if strays || !in_order || missing > unknown + excused {
        let write = written(parts, &fields);
        refusals.push(disagrees(&named, &fields, &write, contract, whole));
    }
    refusals
}

fn adopt_name(lowered: &mut Lowered, fields: &[&str], contract: &Contract) {
    let name = lowered
        .names
        .iter()
        .find(|name| fields.contains(&name.as_str()))
        .or_else(|| {
            lowered
                .names
                .iter()
                .find(|name| contract.field(name).is_some())
        });
    if let Some(name) = name {
        lowered.part.name.clone_from(name);
    }
}

fn undeclared(lowered: &Lowered, contract: &Contract) -> Refusal {
    let name = &lowered.part.name;
    let file = file_of(contract);
    let known = contract
        .payload
        .iter()
        .map(|field| field.name.value.as_str());
    let help = match near(name, known) {
        Some(near) => format!("write `{near}` instead"),
        None => format!("declare it in `[payload]` of {file}, or write the contract's own fields"),
    };
    Refusal::new(
        lowered.at,
        format!("`{name}` is not a payload field of {file}"),
        "the contract says where each key field is born; of this one nothing is known",
        help,
    )
    .by("undeclared-key-field")
}

fn disagrees(
    named: &[&str],
    fields: &[&str],
    write: &str,
    contract: &Contract,
    whole: At,
) -> Refusal {
    let (ours, theirs) = (list(named.iter().copied()), list(fields.iter().copied()));
    Refusal::new(
        whole,
        format!("this key is {ours}, and the key in {} is {theirs}", file_of(contract)),
        "stored keys, `idem.lock` and the drill follow the contract: two recipes for one workflow never find each other's rows",
        format!("write `key = {write}`, or leave `key = …` out"),
    )
    .by("attribute-disagrees")
}

/// The contract's key in the handler's words: parts that are there as they were written, the others
/// as fields of the same argument.
fn written(parts: &[Lowered], fields: &[&str]) -> String {
    let payload = parts
        .iter()
        .flat_map(|lowered| &lowered.paths)
        .find(|path| !path.fields.is_empty());
    let parts: Vec<String> = fields
        .iter()
        .map(|field| {
            let there = parts.iter().find(|lowered| lowered.part.name == *field);
            match (there, payload) {
                (Some(lowered), _) => tidy(&lowered.expr),
                (None, Some(path)) => format!("{}.{field}", path.root),
                (None, None) => (*field).to_owned(),
            }
        })
        .collect();
    format!("({})", parts.join(", "))
}

fn file_of(contract: &Contract) -> String {
    contract.workflow.get().map_or_else(
        || "the contract".to_owned(),
        |name| format!("contracts/{name}.toml"),
    )
}
