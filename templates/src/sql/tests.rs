//! Files and constants agree.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Migration, Numbered, mysql, postgres, sqlite};

/// Each folder with its statements.
fn every_store() -> [(&'static str, Vec<(&'static str, &'static str)>); 3] {
    [
        ("sqlite", sqlite::ALL.to_vec()),
        ("postgres", postgres::ALL.to_vec()),
        ("mysql", [mysql::ALL, mysql::ALL_NUMBERED].concat()),
    ]
}

fn files(folder: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sql")
        .join(folder);
    std::fs::read_dir(&path)
        .expect("the folder is there")
        .filter_map(|entry| {
            entry
                .expect("it can be listed")
                .file_name()
                .into_string()
                .ok()
        })
        .filter_map(|name| name.strip_suffix(".sql").map(str::to_owned))
        .collect()
}

#[test]
fn every_statement_file_is_a_constant() {
    for (folder, all) in every_store() {
        let listed: BTreeSet<String> = all.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files(folder), listed, "{folder}");
    }
}

#[test]
fn every_migration_file_is_in_the_list_and_numbered_without_gaps() {
    for (folder, all) in [
        ("sqlite/migrations", sqlite::MIGRATIONS),
        ("postgres/migrations", postgres::MIGRATIONS),
        ("mysql/migrations", mysql::MIGRATIONS),
    ] {
        let listed: BTreeSet<String> = all.iter().map(Migration::file_stem).collect();
        assert_eq!(files(folder), listed, "{folder}");
        let numbers: Vec<u32> = all.iter().map(|migration| migration.number).collect();
        assert!(
            numbers.iter().copied().eq(1..=numbers.len() as u32),
            "{numbers:?}"
        );
    }
}

#[test]
fn every_file_opens_with_what_it_is_for_and_says_what_zero_rows_mean() {
    for (folder, all) in every_store() {
        for (name, statement) in all {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("sql")
                .join(folder);
            let text = std::fs::read_to_string(path.join(format!("{name}.sql"))).expect("it reads");
            assert!(text.starts_with("-- "), "{folder}/{name}");
            assert!(!statement.starts_with("--"), "{folder}/{name}");
            assert!(text.contains(statement), "{folder}/{name}");
            let tells = !statement.contains("processed_operations")
                || text.contains("Zero rows:")
                || text.contains("Always returns one row.");
            assert!(tells, "{folder}/{name} does not say what zero rows mean");
        }
    }
}

#[test]
fn numbered_parameters_say_which_value_belongs_in_each_place() {
    let statement = Numbered::of("update t set a = ?/*2*/, b = ?/*12*/ where a = ?/*2*/");
    assert_eq!(statement.numbers(), [2, 12, 2]);
    assert!(Numbered::of("select 1").numbers().is_empty());
}

#[test]
fn the_marks_of_texts_without_parameters_are_filled_in() {
    let begin = mysql::begin_fused("abc");
    assert!(begin.contains("database(), 'abc')"), "{begin}");
    for statement in [mysql::SEAL, mysql::CLOCK, mysql::COMMIT, mysql::ROLLBACK] {
        let text = mysql::in_turn(statement, 7);
        assert!(text.contains("\n    7,\n"), "{text}");
    }
}

#[test]
fn a_lock_number_takes_the_place_between_the_marks() {
    let begin = postgres::begin_fused(i64::MIN);
    assert!(begin.starts_with("begin;"), "{begin}");
    assert!(begin.contains("(-9223372036854775808)::bigint"), "{begin}");
    assert!(!begin.contains("/*"), "{begin}");
}
