//! SQL is data: it lies in `templates/`, where its own tools read it.

use super::Project;
use super::literals::literals;

/// SQL statements in string literals of the libraries and the command.
pub(super) fn check(project: &Project) -> Vec<String> {
    let mut out = Vec::new();
    for (path, text) in project.with_extension("rs") {
        let folder = path
            .components()
            .next()
            .map(|part| part.as_os_str().to_string_lossy());
        let ours = folder.is_some_and(|folder| folder == "src" || folder.starts_with("idem-"));
        if !ours || project.is_test(path) {
            continue;
        }
        // By custom a file's tests stand at its end; they may speak SQL to the tables they make.
        let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
        for literal in literals(shipped) {
            if is_sql(literal.text) {
                out.push(format!(
                    "{}:{}: SQL in a string literal; put it into templates/sql/ and name the constant",
                    path.display(),
                    literal.line
                ));
            }
        }
    }
    out
}

/// Whether a text reads as one of the statements that touch a database.
fn is_sql(text: &str) -> bool {
    let text = text.replace("\\n", " ").to_ascii_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |word: &str| words.iter().any(|own| own.trim_end_matches('(') == word);
    match words.as_slice() {
        ["select", ..] => has("from") || text.contains('('),
        ["insert", "into", ..] => text.contains('('),
        ["delete", "from", _] => true,
        ["delete", "from", ..] => has("where"),
        ["update", ..] => has("set"),
        [
            "create" | "alter" | "drop",
            "table" | "index" | "unique" | "function",
            _,
            ..,
        ] => true,
        ["pragma", setting, ..] => setting.contains(['=', '(', '_']),
        ["begin", "immediate", ..] => true,
        ["with", ..] => has("as") && has("select"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::{check, is_sql};

    #[test]
    fn statements_are_told_from_prose() {
        for sql in [
            "select status from processed_operations where key = $1",
            "SELECT pg_try_advisory_xact_lock($1)",
            "insert into t (a) values (1)",
            "\\n  update t set a = 1",
            "create table t (a int)",
            "PRAGMA journal_mode = wal",
            "with found as (select 1) select * from found",
        ] {
            assert!(is_sql(sql), "{sql}");
        }
        for prose in [
            "select these rules alone",
            "update the lockfile with `idem lock`",
            "insert into the table",
            "delete from",
            "begin",
            "with a reason as short as possible",
            "",
        ] {
            assert!(!is_sql(prose), "{prose}");
        }
    }

    #[test]
    fn only_shipped_code_is_read() {
        let sql = "const A: &str = \"delete from t where a = 1\";";
        let found = check(&Project::of(&[
            ("src/store.rs", sql),
            (
                "idem-cli/src/sweep.rs",
                &format!("\n{sql}\n#[cfg(test)]\n{sql}"),
            ),
            ("tests/it/main.rs", sql),
            ("templates/src/lib.rs", sql),
            ("src/store_tests.rs", sql),
        ]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("idem-cli/src/sweep.rs:2:"));
    }
}
