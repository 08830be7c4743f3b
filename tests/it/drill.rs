//! The drill, tried on contracts' own promises and on protocols that break them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use idem::drill::{
    Child, Drill, DrillStore, Events, Field, Kind, Report, Scratch, Seen, Standing, Subject,
    Trouble, Twin, TwinSubject, child_of, twins,
};
use idem::{FieldType, Mode, MysqlStore, PostgresStore, SqliteStore, Workflow};

use crate::{mysql_server, postgres_server};

static FUSED: Workflow = Workflow::new("drilled-fused", 2);
static LEASED: Workflow = Workflow::new("drilled-leased", 2).mode(Mode::Leased);
static ONCE: Workflow = Workflow::new("drilled-once", 2)
    .mode(Mode::Leased)
    .max_attempts(1);
static TOMBSTONE: Workflow = Workflow::new("drilled-tombstone", 2).keep_tombstone();

fn scratch<S>(workflow: &'static Workflow) -> Result<Scratch<S>, Trouble> {
    let field = |name, kind| Field { name, kind };
    let event =
        r#"{"tenant": {"id": "acme"}, "refund_id": "r_1", "amount": "12.50", "note": null}"#;
    let events = Events::of(event)?
        .other_body("amount", r#""13.00""#)?
        .must_differ("tenant.id", r#""globex""#)?
        .must_differ("refund_id", r#""r_2""#)?;
    let tenant = field("tenant.id", FieldType::String);
    let key = vec![tenant, field("refund_id", FieldType::String)];
    let before = vec![field("refund_id", FieldType::String), tenant];
    let tomorrow = SystemTime::now() + Duration::from_secs(24 * 60 * 60);
    Ok(Scratch::new(workflow, key, events)
        .previous(1, tomorrow, before)
        .tenant(tenant)
        .hash(vec![field("amount", FieldType::Decimal)])
        .effect("refunds")
        .effect("ledger"))
}

fn scratch_named<S>(name: &str) -> Option<Scratch<S>> {
    let workflow = [&FUSED, &LEASED, &ONCE, &TOMBSTONE]
        .into_iter()
        .find(|workflow| name == workflow.name())?;
    scratch(workflow).ok()
}

fn child(name: &str) -> Child {
    Child::test(&format!("{}::{name}", module_path!()))
}

fn play<S: DrillStore>(
    workflow: &'static Workflow,
    url: Option<&str>,
    process: &str,
) -> Result<Report, Trouble> {
    let drill = Drill::of(scratch::<S>(workflow)?).child(child(process));
    Ok(match url {
        Some(url) => drill.at(url).run(),
        None => drill.run(),
    })
}

/// Does nothing unless a drill started this process.
#[test]
fn a_process_on_sqlite() {
    child_of(scratch_named::<SqliteStore>);
}

/// Does nothing unless a drill started this process.
#[test]
fn a_twins_process_on_sqlite() {
    child_of(TwinSubject::<SqliteStore>::named);
}

#[test]
fn a_fused_workflow_passes_every_drill_on_sqlite() -> Result<(), Trouble> {
    let report = play::<SqliteStore>(&FUSED, None, "a_process_on_sqlite")?;
    assert!(report.passed(), "{report}");
    assert_eq!(report.drills.len(), Kind::ALL.len());
    assert!(
        report
            .drills
            .iter()
            .all(|drill| drill.standing == Standing::Passed),
        "{report}"
    );
    Ok(())
}

#[test]
fn a_leased_workflow_passes_every_drill_on_sqlite() -> Result<(), Trouble> {
    for workflow in [&LEASED, &ONCE, &TOMBSTONE] {
        let report = play::<SqliteStore>(workflow, None, "a_process_on_sqlite")?;
        assert!(report.passed(), "{}\n{report}", workflow.name());
    }
    Ok(())
}

#[test]
fn every_broken_twin_is_caught_on_sqlite() {
    let report = twins::<SqliteStore>(None, &child("a_twins_process_on_sqlite"));
    assert_eq!(report.caught(), Twin::ALL.len(), "{report}");
    assert!(
        report
            .to_string()
            .starts_with("7 of 7 broken twins caught\n"),
        "{report}"
    );
}

/// Otherwise a twin could be caught for another reason than its one mistake.
#[test]
fn the_protocol_without_its_mistake_passes_on_sqlite() {
    let report = Drill::of(TwinSubject::<SqliteStore>::whole())
        .child(child("a_twins_process_on_sqlite"))
        .run();
    assert!(report.passed(), "{report}");
}

/// Does nothing unless a drill started this process.
#[test]
fn a_process_on_postgres() {
    child_of(scratch_named::<PostgresStore>);
}

/// Does nothing unless a drill started this process.
#[test]
fn a_twins_process_on_postgres() {
    child_of(TwinSubject::<PostgresStore>::named);
}

#[test]
fn every_workflow_passes_every_drill_on_postgres() -> Result<(), Trouble> {
    let Some(url) = postgres_server::url() else {
        return Ok(());
    };
    for workflow in [&FUSED, &LEASED, &ONCE, &TOMBSTONE] {
        let report = play::<PostgresStore>(workflow, Some(&url), "a_process_on_postgres")?;
        assert!(report.passed(), "{}\n{report}", workflow.name());
    }
    Ok(())
}

#[test]
fn every_broken_twin_is_caught_on_postgres() {
    if let Some(url) = postgres_server::url() {
        let process = child("a_twins_process_on_postgres");
        let report = twins::<PostgresStore>(Some(&url), &process);
        assert_eq!(report.caught(), Twin::ALL.len(), "{report}");
        let whole = Drill::of(TwinSubject::<PostgresStore>::whole())
            .child(process)
            .at(url)
            .run();
        assert!(whole.passed(), "{whole}");
    }
}

/// Does nothing unless a drill started this process.
#[test]
fn a_process_on_mysql() {
    child_of(scratch_named::<MysqlStore>);
}

/// Does nothing unless a drill started this process.
#[test]
fn a_twins_process_on_mysql() {
    child_of(TwinSubject::<MysqlStore>::named);
}

#[test]
fn every_workflow_passes_every_drill_on_mysql() -> Result<(), Trouble> {
    let Some(url) = mysql_server::url() else {
        return Ok(());
    };
    for workflow in [&FUSED, &LEASED, &ONCE, &TOMBSTONE] {
        let report = play::<MysqlStore>(workflow, Some(&url), "a_process_on_mysql")?;
        assert!(report.passed(), "{}\n{report}", workflow.name());
    }
    Ok(())
}

#[test]
fn every_broken_twin_is_caught_on_mysql() {
    if let Some(url) = mysql_server::url() {
        let process = child("a_twins_process_on_mysql");
        let report = twins::<MysqlStore>(Some(&url), &process);
        assert_eq!(report.caught(), Twin::ALL.len(), "{report}");
        let whole = Drill::of(TwinSubject::<MysqlStore>::whole())
            .child(process)
            .at(url)
            .run();
        assert!(whole.passed(), "{whole}");
    }
}

#[test]
fn a_drill_that_kills_says_that_it_was_not_run_without_a_way_to_start_a_process()
-> Result<(), Trouble> {
    let report =
        Drill::of(scratch::<SqliteStore>(&FUSED)?).run_only(&[Kind::KillMidWork, Kind::MustDiffer]);
    let why = "it needs a child process, and no way to start one was given";
    assert_eq!(report.drills[0].standing, Standing::NotRun(why.to_owned()));
    assert!(report.passed(), "{report}");
    Ok(())
}

#[test]
fn a_process_that_says_nothing_fails_the_drill() -> Result<(), Trouble> {
    let report = Drill::of(scratch::<SqliteStore>(&FUSED)?)
        .child(child("there_is_no_such_test"))
        .run_only(&[Kind::KillMidWork]);
    assert_eq!(report.failed(), [Kind::KillMidWork]);
    assert!(
        report
            .to_string()
            .contains("does the test that it was asked to run exist"),
        "{report}"
    );
    Ok(())
}

/// A workflow that knows its previous recipe in every other delivery.
#[derive(Clone)]
struct Forgetful {
    whole: Scratch<SqliteStore>,
    deliveries: Arc<AtomicU32>,
}

impl Subject for Forgetful {
    type Store = SqliteStore;

    async fn prepare(&self, store: &SqliteStore) -> Result<(), Trouble> {
        self.whole.prepare(store).await
    }

    async fn deliver(&self, store: &SqliteStore, event: &[u8]) -> Seen {
        let knows = self.deliveries.fetch_add(1, Ordering::SeqCst) % 2 == 1;
        let long_ago = SystemTime::UNIX_EPOCH;
        let field = |name| Field {
            name,
            kind: FieldType::String,
        };
        let key = vec![field("tenant.id"), field("refund_id")];
        let events = self.whole.events().expect("it has events");
        let forgot = Scratch::<SqliteStore>::new(&FUSED, key, events)
            .previous(1, long_ago, vec![field("refund_id"), field("tenant.id")])
            .effect("refunds")
            .effect("ledger");
        if knows {
            self.whole.deliver(store, event).await
        } else {
            forgot.deliver(store, event).await
        }
    }

    async fn state(&self, store: &SqliteStore) -> Result<String, Trouble> {
        self.whole.state(store).await
    }

    fn events(&self) -> Result<Events, Trouble> {
        self.whole.events()
    }
}

/// The first delivery of the scene is the drill's second, behind its baseline.
#[test]
fn a_workflow_that_forgot_its_previous_recipe_fails_the_drill_of_it() -> Result<(), Trouble> {
    let forgetful = Forgetful {
        whole: scratch(&FUSED)?,
        deliveries: Arc::default(),
    };
    let report = Drill::of(forgetful).run_only(&[Kind::OldRecipe]);
    assert_eq!(report.failed(), [Kind::OldRecipe], "{report}");
    assert!(
        report
            .to_string()
            .contains("the retry under the present recipe"),
        "{report}"
    );
    Ok(())
}

#[test]
fn a_workflow_without_a_previous_recipe_says_so() -> Result<(), Trouble> {
    let field = Field {
        name: "refund_id",
        kind: FieldType::String,
    };
    let events = Events::of(r#"{"refund_id": "r_1"}"#)?;
    let scratch = Scratch::<SqliteStore>::new(&FUSED, vec![field], events).effect("refunds");
    let report = Drill::of(scratch).run_only(&[Kind::OldRecipe, Kind::ReplayBackToBack]);
    let why = "the contract has no previous key recipe";
    assert_eq!(report.drills[0].standing, Standing::NotRun(why.to_owned()));
    assert!(report.passed(), "{report}");
    Ok(())
}
