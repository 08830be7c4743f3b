//! The commands that need a database.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use sqlx::{Connection as _, SqliteConnection};
use tokio::runtime::Builder;

use crate::sandbox::{Sandbox, mysql, postgres};

/// Runs SQL on the sandbox's database file, as something other than idem would.
fn sql(sandbox: &Sandbox, file: &str, statements: &'static str) {
    let url = format!("sqlite:{}?mode=rwc", sandbox.path(file).display());
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(async {
            let mut connection = SqliteConnection::connect(&url).await.expect("a database");
            sqlx::raw_sql(statements)
                .execute(&mut connection)
                .await
                .expect("the statements run");
            connection.close().await.expect("the end of the connection");
        });
}

/// Two finished rows, one of them past its window, and one at work.
const ROWS: &str = "
    insert into processed_operations
        (idempotency_key, workflow, contract_version, contract_digest, status, request_hash,
         hash_recipe, field_digests, claimed_at, lease_until, completed_at, expires_at,
         response_kind, response, response_version)
    values
        ('w:v1:old', 'w', 1, null, 'done', zeroblob(32), 1, x'', 0, null, 0, 1, 'value', x'31', 1),
        ('w:v1:new', 'w', 1, null, 'done', zeroblob(32), 1, x'', 0, null, 0, 9000000000000, 'value', x'31', 1),
        ('w:v1:now', 'w', 1, null, 'in_flight', zeroblob(32), 1, x'', 0, 1, null, 9223372036854775807, null, null, null);
";

#[test]
fn a_migration_makes_the_tables_once() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&["migrate", "--url", "sqlite:shop.db"]);
    assert_eq!(first.status, 0, "{first:?}");
    assert_eq!(
        first.out,
        "applied 0001_processed_operations\napplied 0002_expiry_index\n\
         applied 0003_operation_effects\napplied 0004_dead_letters\n"
    );
    let second = sandbox.run(&["migrate", "--url", "sqlite:shop.db"]);
    assert_eq!(second.out, "nothing to do: the tables are current\n");
}

#[test]
fn a_database_file_is_whole_by_itself_when_a_command_ends() {
    let sandbox = Sandbox::new();
    for words in [
        &["migrate", "--url", "sqlite:shop.db"][..],
        &["migrate", "--print", "--url", "sqlite:shop.db"],
        &["sweep", "--once", "--url", "sqlite:shop.db"],
    ] {
        let ran = sandbox.run(words);
        assert_eq!(ran.status, 0, "{ran:?}");
        for beside in ["shop.db-wal", "shop.db-shm"] {
            assert!(!sandbox.path(beside).exists(), "{words:?} left {beside}");
        }
    }
}

#[test]
fn the_store_can_be_named_by_the_environment() {
    let sandbox = Sandbox::new();
    let run = |environment: &[(&str, &str)]| sandbox.run_in("", &["migrate"], b"", environment);
    assert_eq!(run(&[("DATABASE_URL", "sqlite:one.db")]).status, 0);
    assert!(sandbox.path("one.db").exists());
    let both = [
        ("DATABASE_URL", "sqlite:one.db"),
        ("IDEM_URL", "sqlite:two.db"),
    ];
    assert_eq!(run(&both).status, 0);
    assert!(sandbox.path("two.db").exists());
    let none = run(&[]);
    assert_eq!(none.status, 2, "{none:?}");
    assert!(none.err.contains("which store?"), "{none:?}");
}

#[test]
fn printing_a_migration_changes_nothing_and_shows_what_is_missing() {
    let sandbox = Sandbox::new();
    let print = ["migrate", "--print", "--url", "sqlite:shop.db"];
    let all = sandbox.run(&print);
    assert_eq!(all.status, 0, "{all:?}");
    assert!(
        all.out.contains("create table processed_operations"),
        "{all:?}"
    );
    assert!(!sandbox.path("shop.db").exists());
    assert_eq!(
        all.out,
        sandbox
            .run(&["migrate", "--print", "--database", "sqlite"])
            .out
    );
    assert_eq!(
        sandbox.run(&["migrate", "--url", "sqlite:shop.db"]).status,
        0
    );
    let none = sandbox.run(&print);
    assert_eq!(none.out, "-- nothing to do: the tables are current\n");
    let postgres = sandbox.run(&["migrate", "--print", "--database", "postgres"]);
    assert!(postgres.out.contains("timestamptz"), "{postgres:?}");
}

#[test]
fn what_a_migration_tool_has_applied_counts_as_applied() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox
            .run(&["generate", "sql", "--database", "sqlite"])
            .status,
        0
    );
    let text = sandbox.read("migrations/0001_processed_operations.sql")
        + &sandbox.read("migrations/0002_expiry_index.sql")
        + &sandbox.read("migrations/0003_operation_effects.sql")
        + &sandbox.read("migrations/0004_dead_letters.sql");
    sql(&sandbox, "shop.db", Box::leak(text.into_boxed_str()));
    let ran = sandbox.run(&["migrate", "--url", "sqlite:shop.db"]);
    assert_eq!(
        ran.out, "nothing to do: the tables are current\n",
        "{ran:?}"
    );
}

#[test]
fn a_generated_migration_that_was_edited_is_not_current() {
    let sandbox = Sandbox::new();
    let generate = [
        "generate",
        "sql",
        "--database",
        "postgres",
        "--folder",
        "sql",
    ];
    let check = [&generate[..], &["--check"]].concat();
    assert_eq!(sandbox.run(&check).status, 1);
    assert!(!sandbox.path("sql").exists());
    assert_eq!(sandbox.run(&generate).status, 0);
    assert_eq!(sandbox.run(&check).status, 0);
    sandbox.file("sql/0002_expiry_index.sql", "-- mine\n");
    let stale = sandbox.run(&check);
    assert_eq!(stale.status, 1, "{stale:?}");
    assert!(
        stale
            .out
            .contains("sql/0002_expiry_index.sql is not current"),
        "{stale:?}"
    );
    let unknown = sandbox.run(&["generate", "sql", "--database", "postgre"]);
    assert!(
        unknown.err.contains("did you mean `postgres`?"),
        "{unknown:?}"
    );
    assert_eq!(sandbox.run(&["generate", "sql"]).status, 2);
}

#[test]
fn a_sweep_removes_what_is_past_its_window_and_nothing_else() {
    let sandbox = Sandbox::new();
    sandbox.run(&["migrate", "--url", "sqlite:shop.db"]);
    sql(&sandbox, "shop.db", ROWS);
    let sweep = ["sweep", "--once", "--batch", "1", "--url", "sqlite:shop.db"];
    let first = sandbox.run(&sweep);
    assert_eq!(
        (first.status, first.out.as_str()),
        (0, "removed 1 rows\n"),
        "{first:?}"
    );
    assert_eq!(sandbox.run(&sweep).out, "removed 0 rows\n");
}

#[test]
fn a_sweep_goes_on_until_it_is_told_to_stop() {
    let sandbox = Sandbox::new();
    sandbox.run(&["migrate", "--url", "sqlite:shop.db"]);
    sql(&sandbox, "shop.db", ROWS);
    let mut sweep = sandbox
        .command("")
        .args(["sweep", "--every", "10ms", "--url", "sqlite:shop.db"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the idem binary");
    let mut lines = BufReader::new(sweep.stdout.take().expect("a pipe")).lines();
    let mut removed = || lines.next().and_then(Result::ok);
    assert_eq!(removed().as_deref(), Some("removed 1 rows"));
    sql(
        &sandbox,
        "shop.db",
        "update processed_operations set expires_at = 1 where status = 'done'",
    );
    assert_eq!(removed().as_deref(), Some("removed 1 rows"));
    let told = Command::new("kill")
        .args(["-INT", &sweep.id().to_string()])
        .status()
        .expect("kill");
    assert!(told.success());
    let ended = sweep.wait().expect("the end of the process");
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn a_table_of_somebody_else_is_refused_with_what_to_do() {
    let sandbox = Sandbox::new();
    sql(
        &sandbox,
        "old.db",
        "create table processed_operations (id text);",
    );
    for command in [&["migrate"][..], &["sweep", "--once"]] {
        let ran = sandbox.run(&[command, &["--url", "sqlite:old.db"]].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(
            ran.err.contains("has no column `idempotency_key`"),
            "{ran:?}"
        );
        assert!(ran.err.contains("rename that table"), "{ran:?}");
    }
}

#[test]
fn a_store_that_cannot_be_reached_is_status_2_and_hides_the_password() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "junk.db",
        "this is no database, whatever its name says, and it is long enough\n",
    );
    for (url, why) in [
        (
            "postgres://me:secret@127.0.0.1:1/shop",
            "postgres://me:…@127.0.0.1:1/shop",
        ),
        (
            "sqlite:nowhere.db",
            "`idem migrate --url sqlite:nowhere.db` makes one",
        ),
        ("sqlite:junk.db", "cannot open `sqlite:junk.db`"),
        (
            "oracle://localhost/shop",
            "there are sqlite:, postgres: and mysql:",
        ),
        (
            "mysql://me:secret@127.0.0.1:1/shop",
            "mysql://me:…@127.0.0.1:1/shop",
        ),
        ("shop.db", "write sqlite:shop.db"),
    ] {
        let ran = sandbox.run(&["sweep", "--once", "--url", url]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains(why), "{ran:?}");
        assert!(!ran.err.contains("secret"), "{ran:?}");
    }
    assert!(!sandbox.path("nowhere.db").exists());
}

#[test]
fn a_migration_and_a_sweep_run_on_postgres() {
    let Some(url) = postgres() else {
        return;
    };
    let separator = if url.contains('?') { '&' } else { '?' };
    let url = format!("{url}{separator}options=-c%20search_path%3Dcli_store");
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(async {
            let mut connection = sqlx::PgConnection::connect(&url).await.expect("the server");
            sqlx::raw_sql("drop schema if exists cli_store cascade; create schema cli_store;")
                .execute(&mut connection)
                .await
                .expect("a fresh schema");
        });
    let sandbox = Sandbox::new();
    let first = sandbox.run(&["migrate", "--url", &url]);
    assert_eq!((first.status, first.err.as_str()), (0, ""), "{first:?}");
    assert!(
        first.out.contains("applied 0001_processed_operations"),
        "{first:?}"
    );
    let second = sandbox.run(&["migrate", "--url", &url]);
    assert_eq!(second.out, "nothing to do: the tables are current\n");
    let print = sandbox.run(&["migrate", "--print", "--url", &url]);
    assert_eq!(
        print.out, "-- nothing to do: the tables are current\n",
        "{print:?}"
    );
    let sweep = sandbox.run(&["sweep", "--once", "--url", &url]);
    assert_eq!(sweep.out, "removed 0 rows\n", "{sweep:?}");
}

/// The statements as files, applied by a tool, and `idem migrate` take turns.
#[test]
fn a_migration_and_a_sweep_run_on_mariadb() {
    let Some(server) = mysql() else {
        return;
    };
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let send = |url: &str, statements: String| {
        runtime.block_on(async {
            let mut connection = sqlx::MySqlConnection::connect(url)
                .await
                .expect("it answers");
            sqlx::raw_sql(sqlx::AssertSqlSafe(statements))
                .execute(&mut connection)
                .await
                .expect("an operator's statements");
        });
    };
    let (address, _) = server.rsplit_once('/').expect("it names a database");
    let url = format!("{address}/cli_store");
    let fresh = "drop database if exists cli_store; create database cli_store";
    for by_tool in [false, true] {
        send(&server, fresh.to_owned());
        let sandbox = Sandbox::new();
        if by_tool {
            let written = sandbox.run(&["generate", "sql", "--database", "mysql"]);
            assert_eq!(written.status, 0, "{written:?}");
            send(
                &url,
                sandbox.read("migrations/0001_processed_operations.sql"),
            );
        }
        let first = sandbox.run(&["migrate", "--url", &url]);
        assert_eq!((first.status, first.err.as_str()), (0, ""), "{first:?}");
        let one = first.out.contains("applied 0001_processed_operations");
        assert_eq!(one, !by_tool, "{first:?}");
        assert!(first.out.contains("applied 0002_expiry_index"), "{first:?}");
        let second = sandbox.run(&["migrate", "--url", &url]);
        assert_eq!(second.out, "nothing to do: the tables are current\n");
        let print = sandbox.run(&["migrate", "--print", "--url", &url]);
        assert_eq!(
            print.out, "-- nothing to do: the tables are current\n",
            "{print:?}"
        );
        let sweep = sandbox.run(&["sweep", "--once", "--url", &url]);
        assert_eq!(sweep.out, "removed 0 rows\n", "{sweep:?}");
        let dead = sandbox.run(&["ops", "list", "--dead", "--url", &url]);
        assert_eq!(dead.status, 0, "{dead:?}");
    }
    send(&server, "drop database cli_store".to_owned());
}
