//! A handler to begin with: payload, result, error, the attributed function and one function for
//! each effect.

mod payload;

use std::fmt::Write as _;

use idem_contract::{Change, Contract, Effect};
use idem_templates::rust;

use self::payload::{Column, Payload};
use super::Database;
use super::text::{doc, head, literal, pascal, snake, sql_name};

/// The file of a contract that [`can_render`](super::can_render) accepts.
#[must_use]
pub fn handler(contract: &Contract, database: Database) -> String {
    let workflow = contract.workflow.get().map_or("workflow", String::as_str);
    let payload = Payload::of(contract);
    let names = Names::of(workflow);
    let mut out = String::new();
    heading(&mut out, contract, workflow, &payload);
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        out,
        "\nuse idem::idempotent;\nuse idem::{}::Tx;\nuse serde::{{Deserialize, Serialize}};\n",
        database.name()
    );
    payload.write(&mut out, workflow, &names.event);
    result_and_error(&mut out, &names);
    function(&mut out, contract, workflow, &names);
    for effect in &contract.effects {
        effect_function(&mut out, effect, &payload.columns, &names, database);
    }
    out
}

/// What the file's items are called.
struct Names {
    function: String,
    event: String,
    done: String,
    error: String,
}

impl Names {
    fn of(workflow: &str) -> Self {
        let event = pascal(workflow);
        Self {
            function: snake(workflow),
            done: format!("{event}Done"),
            error: format!("{event}Error"),
            event,
        }
    }

    fn result(&self, value: &str) -> String {
        format!("Result<{value}, {}>", self.error)
    }
}

fn table(effect: &Effect) -> String {
    let target = effect
        .target
        .get()
        .map_or_else(|| effect.label(), String::as_str);
    sql_name(target)
}

/// The statement behind a template's heading.
fn statement(template: &str) -> String {
    let lines = template.lines().filter(|line| !line.starts_with("--"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The statements that create the tables, as far as the payload tells.
pub(super) fn tables(contract: &Contract) -> String {
    let columns = Payload::of(contract).columns;
    let mut out = String::new();
    let mut seen = Vec::new();
    for name in contract.effects.iter().map(table) {
        if seen.contains(&name) {
            continue;
        }
        let lines: Vec<String> = columns
            .iter()
            .map(|column| {
                let null = if column.optional { "" } else { " not null" };
                format!("{} {}{null}", column.name, column.sql_type)
            })
            .collect();
        out.push_str(
            &statement(rust::HANDLER_TABLE)
                .replace("idem_column text", &lines.join(",\n    "))
                .replace("idem_table", &name),
        );
        seen.push(name);
    }
    out
}

fn heading(out: &mut String, contract: &Contract, workflow: &str, payload: &Payload) {
    let summary = contract.summary.get().map_or("", String::as_str);
    doc(
        out,
        "",
        "//!",
        &format!("The handler of `{workflow}`: {summary}"),
    );
    out.push_str("//!\n");
    if contract.effects.is_empty() || payload.columns.is_empty() {
        doc(
            out,
            "",
            "//!",
            "Begun by `idem generate handler`; it is yours now.",
        );
        return;
    }
    doc(
        out,
        "",
        "//!",
        "Begun by `idem generate handler`; it is yours now. It writes these tables, which a migration of yours creates. idem's own come by `idem migrate`, or as files by `idem generate sql`.",
    );
    out.push_str("//!\n//! ```sql\n");
    for line in tables(contract).lines() {
        let _ = writeln!(out, "//! {line}");
    }
    out.push_str("//! ```\n");
}

fn result_and_error(out: &mut String, names: &Names) {
    let Names { done, error, .. } = names;
    let _ = write!(
        out,
        "
/// The result. It is stored, and a retry gets the same bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct {done} {{
    /// Which attempt did the work, counted from 1.
    pub attempt: u32,
}}

/// Why there is no result, and what that means for a retry.
///
/// A definitive refusal of yours is a variant with `#[failure(final)]`: it is stored, and every retry
/// gets it. A failure that left nothing behind is one with `#[failure(no_effect)]`.
#[derive(Debug, idem::Failure)]
pub enum {error} {{
    /// The transaction is rolled back, so a retry is safe.
    #[failure(transparent)]
    Store(sqlx::Error),
}}

impl From<sqlx::Error> for {error} {{
    fn from(error: sqlx::Error) -> Self {{
        Self::Store(error)
    }}
}}
"
    );
}

fn function(out: &mut String, contract: &Contract, workflow: &str, names: &Names) {
    let key = contract.key.fields.get().map_or(&[][..], Vec::as_slice);
    let parts: Vec<String> = key
        .iter()
        .map(|name| format!("event.{}", payload::path(&name.value)))
        .collect();
    out.push('\n');
    let summary = contract
        .summary
        .get()
        .map_or("Does the work.", String::as_str);
    doc(out, "", "///", summary);
    out.push_str("///\n/// # Errors\n///\n");
    doc(
        out,
        "",
        "///",
        "When a statement fails; nothing of this attempt remains then.",
    );
    let _ = writeln!(
        out,
        "#[idempotent(contract = {}, key = ({}))]",
        literal(workflow),
        parts.join(", ")
    );
    let arguments = [
        "tx: &mut Tx<'_>".to_owned(),
        format!("event: &{}", names.event),
    ];
    let before = format!("pub async fn {}", names.function);
    head(out, &before, &arguments, &names.result(&names.done));
    if contract.effects.is_empty() {
        let _ = writeln!(out, "    let _ = event;");
    }
    for effect in &contract.effects {
        let _ = writeln!(out, "    {}(tx, event).await?;", effect_name(effect));
    }
    let _ = write!(
        out,
        "    Ok({} {{\n        attempt: tx.attempt(),\n    }})\n}}\n",
        names.done
    );
}

fn effect_name(effect: &Effect) -> String {
    format!("effect_{}", snake(effect.label()))
}

fn effect_function(
    out: &mut String,
    effect: &Effect,
    columns: &[Column],
    names: &Names,
    database: Database,
) {
    let table = table(effect);
    let constant = effect_name(effect).to_ascii_uppercase();
    let list: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let values: Vec<String> = (1..=columns.len())
        .map(|at| match database {
            Database::Sqlite | Database::Postgres => format!("${at}"),
            Database::Mysql => "?".to_owned(),
        })
        .collect();
    let insert = statement(rust::HANDLER_INSERT)
        .replace("idem_column", &list.join(", "))
        .replace("$1", &values.join(", "))
        .replace("idem_table", &table);
    let _ = write!(
        out,
        "\nconst {constant}: &str = \"\\\n{}\";\n\n",
        insert.trim_end()
    );
    let change = effect.change.or(Change::Insert);
    let what = match change {
        Change::Insert => "a row for each event".to_owned(),
        Change::Set | Change::Relative => format!(
            "the contract says `change = \"{}\"`: put the update that you mean in place of this row",
            change.as_str()
        ),
    };
    doc(
        out,
        "",
        "///",
        &format!("Effect `{}` on `{table}`: {what}.", effect.label()),
    );
    let arguments = [
        "tx: &mut Tx<'_>".to_owned(),
        format!("event: &{}", names.event),
    ];
    let before = format!("async fn {}", effect_name(effect));
    head(out, &before, &arguments, &names.result("()"));
    let _ = writeln!(out, "    sqlx::query({constant})");
    for column in columns {
        let _ = writeln!(out, "        .bind({})", column.bound);
    }
    out.push_str("        .execute(&mut **tx)\n        .await?;\n    Ok(())\n}\n");
}
