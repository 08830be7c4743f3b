//! What the start-up check says, for tables that no database need be asked for.

use super::*;

fn whole() -> Found {
    Found {
        newest: Some(3),
        columns: COLUMNS
            .iter()
            .map(|column| {
                (
                    column.name.to_owned(),
                    word(column.name, column.kind).to_owned(),
                    column.required,
                )
            })
            .collect(),
        unique_key: Some("BINARY".to_owned()),
        expiry_index: true,
        desk: true,
    }
}

const fn word(_name: &str, kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Bytes => "blob",
        Kind::Integer | Kind::Long | Kind::Moment => "integer",
    }
}

const DIALECT: Dialect = Dialect {
    type_of: word,
    bytewise: "BINARY",
    migrations: idem_templates::sql::sqlite::MIGRATIONS,
};

fn says(found: &Found) -> String {
    match check(found, &DIALECT) {
        Ok(()) => "fine".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_table_of_the_migrations_is_accepted() {
    assert_eq!(says(&whole()), "fine");
}

#[test]
fn each_missing_column_is_named_with_its_migration() {
    for column in &COLUMNS {
        let mut found = whole();
        found.columns.retain(|(name, ..)| name != column.name);
        let said = says(&found);
        assert!(
            said.contains(&format!("no column `{}`", column.name)),
            "{said}"
        );
        let migration = match column.migration {
            1 => "0001_processed_operations; rename that table",
            _ => "0003_operation_effects; run `idem migrate`",
        };
        assert!(said.contains(migration), "{said}");
    }
}

#[test]
fn a_column_of_another_type_or_nullness_is_named() {
    let mut found = whole();
    found.columns[10].1 = "real".to_owned();
    assert!(says(&found).contains("column `fence`"), "{}", says(&found));
    let mut found = whole();
    found.columns[6].2 = false;
    assert!(says(&found).contains("`request_hash`"), "{}", says(&found));
}

#[test]
fn a_key_that_is_not_unique_or_folds_case_is_refused() {
    let mut found = whole();
    found.unique_key = None;
    assert!(says(&found).contains("no unique key"), "{}", says(&found));
    found.unique_key = Some("NOCASE".to_owned());
    assert!(says(&found).contains("`NOCASE`"), "{}", says(&found));
}

#[test]
fn a_missing_migration_and_a_newer_one_are_named() {
    let mut found = whole();
    found.expiry_index = false;
    assert!(
        says(&found).contains("0002_expiry_index"),
        "{}",
        says(&found)
    );
    found.newest = Some(99);
    assert!(
        says(&found).contains("update this program"),
        "{}",
        says(&found)
    );
    assert!(says(&Found::default()).contains("0001_processed_operations"));
}

#[test]
fn a_missing_desk_is_named_with_its_migration() {
    let mut found = whole();
    found.desk = false;
    let said = says(&found);
    assert!(said.contains("0004_dead_letters"), "{said}");
}
