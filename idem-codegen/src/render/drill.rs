//! The drill of a handler, as a test of the user's crate: one file that follows the contract, and one
//! that knows the crate.

use idem_contract::Contract;
use idem_templates::rust;

use super::Database;
use super::handler::tables;
use super::text::{WIDTH, literal, pascal, raw, snake, sql_name};
use crate::sample::{Sample, Varied};

/// The two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrillFiles {
    /// The tests, which follow the contract: written anew whenever it changes.
    pub tests: String,
    /// What they need to know of the crate: begun once, and its reader's from then on.
    pub setup: String,
}

/// The drill of a contract that [`can_render`](super::can_render) accepts. `handler` is the path of
/// the module that the handler is in, such as `refund_service::refund_order`.
#[must_use]
pub fn drill(contract: &Contract, database: Database, handler: &str) -> DrillFiles {
    let workflow = contract.workflow.get().map_or("workflow", String::as_str);
    DrillFiles {
        tests: tests(contract, workflow),
        setup: setup(contract, workflow, database, handler),
    }
}

fn tests(contract: &Contract, workflow: &str) -> String {
    let sample = Sample::of(contract);
    let text = rust::DRILL
        .replace("idem-workflow", workflow)
        .replace("idem_workflow", &snake(workflow))
        .replace("IdemWorkflow", &pascal(workflow))
        .replace("r#\"{}\"#", &raw(&sample.event))
        .replace(
            "u32::MAX",
            &contract
                .claim
                .max_attempts
                .get()
                .copied()
                .unwrap_or(2)
                .to_string(),
        );
    let vary = |method: &str, varied: &Varied| {
        let (field, value) = (literal(&varied.field), raw(&varied.value));
        let call = format!("events.{method}({field}, {value})?;");
        let line = format!("        let events = {call}\n");
        // rustfmt keeps two columns free behind a call that ends in `?;`.
        if line.trim_end().len() > WIDTH - 2 {
            format!("        let events =\n            {call}\n")
        } else {
            line
        }
    };
    let other_body = sample
        .other_body
        .iter()
        .map(|other| vary("other_body", other));
    let must_differ = sample
        .must_differ
        .iter()
        .map(|other| vary("must_differ", other));
    let others: String = other_body.chain(must_differ).collect();
    let text = text.replace("        let events = events.idem_others()?;\n", &others);
    let text = left_out(text, "same_key_other_body", sample.other_body.is_some());
    let text = left_out(text, "must_differ", !sample.must_differ.is_empty());
    left_out(text, "old_recipe", !contract.key.previous.is_empty())
}

/// Takes a test out that this contract has no event for.
fn left_out(text: String, test: &str, keep: bool) -> String {
    let head = format!("\n#[test]\nfn {test}() {{");
    match (keep, text.find(&head)) {
        (false, Some(start)) => {
            let length = text[start..].find("\n}\n").map_or(0, |at| at + 3);
            format!("{}{}", &text[..start], &text[start + length..])
        }
        _ => text,
    }
}

fn setup(contract: &Contract, workflow: &str, database: Database, handler: &str) -> String {
    let template = match database {
        Database::Sqlite => rust::DRILL_SETUP_SQLITE,
        Database::Postgres => rust::DRILL_SETUP_POSTGRES,
        Database::Mysql => rust::DRILL_SETUP_MYSQL,
    };
    let mut names: Vec<String> = Vec::new();
    for effect in &contract.effects {
        let target = effect
            .target
            .get()
            .map_or_else(|| effect.label(), String::as_str);
        let name = sql_name(target);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let list: Vec<String> = names.iter().map(|name| literal(name)).collect();
    let tables = tables(contract);
    template
        .replace("idem-workflow", workflow)
        .replace("idem_handler_path", handler)
        .replace("idem_workflow", &snake(workflow))
        .replace("IdemWorkflow", &pascal(workflow))
        .replace("[\"idem_table\"]", &format!("[{}]", list.join(", ")))
        .replace(
            "\"create table idem_table (idem_column text);\"",
            &sql_literal(&tables),
        )
}

/// A string literal over several lines, beginning on the next one.
fn sql_literal(text: &str) -> String {
    format!(
        "\"\\\n{}\"",
        text.trim_end().replace('\\', "\\\\").replace('"', "\\\"")
    )
}
