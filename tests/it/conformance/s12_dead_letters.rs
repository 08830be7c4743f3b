//! Sentence 12. Each ambiguous or exhausted case is one dead letter: key, workflow, owner, what is known,
//! since when; told once, listed, settled by a change that refuses when the row has changed meanwhile.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use idem::claim::Told as Why;
use idem::desk::{
    Addressee, DeadLetter, Desk as _, Filter, Letter, LetterKind, Workflows, on_dead_letter,
};
use idem::store::{Claimed, EffectStore as _, Held, Remains, Store as _};
use idem::{Effect, Error, MemoryStore, Mode, Outcome, Sweeper, Workflow};

use super::harness::{Harness, Outside, against_every_store};
use super::script::*;

against_every_store! {
    an_unknown_end_is_one_dead_letter_however_often_it_is_delivered,
    used_up_attempts_are_one_dead_letter_from_the_last_failure_on,
    a_crash_in_the_last_attempt_is_exhausted_at_the_next_delivery,
    an_owner_gone_in_mid_effect_is_a_case_at_the_next_delivery,
    an_owner_gone_in_mid_effect_is_a_case_at_the_next_sweep,
    a_running_lease_is_no_case_whatever_has_begun,
    many_deliveries_at_once_write_one_letter,
    an_ambiguous_row_without_a_letter_gets_one_from_a_sweep,
    a_case_under_a_previous_recipes_key_gets_its_letter_there,
    a_sweeper_in_the_background_deletes_rows_and_finds_cases,
}

const MAIL: Effect = Effect::irreversible("receipt-mail");

/// What was told to the process's hook, by key.
static TOLD: Mutex<Vec<Letter>> = Mutex::new(Vec::new());

struct Collector;

impl DeadLetter for Collector {
    fn tell(&self, letter: &Letter) -> Result<(), Box<dyn StdError + Send + Sync>> {
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(letter.clone());
        Ok(())
    }
}

/// An id that no other test of this process uses, and a hook that is told about it.
fn fresh_id(what: &str) -> &'static str {
    static HOOKED: Once = Once::new();
    static NEXT: AtomicU32 = AtomicU32::new(0);
    HOOKED.call_once(|| on_dead_letter(Arc::new(Collector)));
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{what}-{next}").leak()
}

fn told_about(key: &str) -> usize {
    let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.iter().filter(|letter| letter.key == key).count()
}

fn flow(mode: Mode) -> &'static Workflow {
    workflow(mode, |w| {
        w.max_attempts(2)
            .dead_letter("payments-oncall", "#payments-incidents")
            .dead_letter_within_ms(4 * 3_600_000)
    })
}

fn outside() -> &'static Workflow {
    workflow(Mode::Leased, |w| {
        w.effects(&[MAIL])
            .dead_letter("payments-oncall", "#payments-incidents")
    })
}

async fn only_letter<H: Harness>(h: &H, key: &str) -> Letter {
    let mut letters = h.store().letters(key).await.expect("it reads");
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!(told_about(key), 1, "the hook is told once");
    letters.remove(0)
}

async fn an_unknown_end_is_one_dead_letter_however_often_it_is_delivered<H: Harness>(h: &H) {
    for mode in MODES {
        let doubtful = delivery(flow(mode), fresh_id("unknown")).then(Step::Fail(Oops::WhoKnows));
        let first = call::<H>(h.store(), &doubtful).await;
        assert!(matches!(first, Err(Error::Unknown(_))), "{first:?}");
        let key = doubtful.key();
        let letter = only_letter(h, key.as_str()).await;
        for _ in 0..3 {
            let told = call::<H>(h.store(), &doubtful).await;
            assert!(matches!(told, Ok(Outcome::Ambiguous { .. })), "{told:?}");
        }
        let again = only_letter(h, key.as_str()).await;
        assert_eq!(again, letter);
        assert_eq!(letter.kind, LetterKind::Ambiguous);
        assert_eq!(letter.workflow, "conformance");
        assert_eq!(letter.tenant.as_deref(), Some("acme"));
        assert_eq!(letter.owner.as_deref(), Some("payments-oncall"));
        assert_eq!(letter.channel.as_deref(), Some("#payments-incidents"));
        assert_eq!(letter.deadline, Some(Duration::from_secs(4 * 3600)));
        assert_eq!((letter.attempt, letter.fence.get()), (1, 1));
        assert!(letter.known.contains("unknown"), "{letter:?}");
        assert_eq!(letter.settled_at, None);
    }
    let listed = h
        .store()
        .list(&Filter::new().dead())
        .await
        .expect("it lists");
    assert_eq!(listed.len(), 2, "{listed:?}");
}

async fn used_up_attempts_are_one_dead_letter_from_the_last_failure_on<H: Harness>(h: &H) {
    for mode in MODES {
        let failing = delivery(flow(mode), fresh_id("used up")).only([Step::Fail(Oops::TryAgain)]);
        let key = failing.key();
        assert!(call::<H>(h.store(), &failing).await.is_err());
        let none = h.store().letters(key.as_str()).await.expect("it reads");
        assert!(none.is_empty(), "an attempt is left: {none:?}");
        assert!(call::<H>(h.store(), &failing).await.is_err());
        let letter = only_letter(h, key.as_str()).await;
        assert_eq!(letter.kind, LetterKind::Exhausted);
        assert_eq!((letter.attempt, letter.fence.get()), (2, 2));
        for _ in 0..2 {
            let told = call::<H>(h.store(), &failing).await;
            assert!(matches!(told, Ok(Outcome::Exhausted { .. })), "{told:?}");
        }
        assert_eq!(only_letter(h, key.as_str()).await, letter);
    }
}

async fn a_crash_in_the_last_attempt_is_exhausted_at_the_next_delivery<H: Harness>(h: &H) {
    let flow = workflow(Mode::Leased, |w| w.max_attempts(1));
    let id = fresh_id("crashed");
    let asked = request(flow, id, "10");
    let Claimed::Won(_) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    h.age(Duration::from_secs(61)).await;
    let told = call::<H>(h.store(), &delivery(flow, id)).await;
    assert!(
        matches!(told, Ok(Outcome::Exhausted { attempts: 1 })),
        "{told:?}"
    );
    let letter = only_letter(h, asked.key().as_str()).await;
    assert_eq!(letter.kind, LetterKind::Exhausted);
    assert_eq!(letter.owner, None);
}

/// Begins an irreversible effect, and is gone.
async fn gone_in_mid_effect<H: Outside>(h: &H, id: &str) -> String {
    let asked = request(outside(), id, "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    let begun = h.store().begin_effect(&asked, &claim, &MAIL).await;
    assert_eq!(begun.expect("it answers"), Held::Yes(()));
    asked.key().as_str().to_owned()
}

async fn an_owner_gone_in_mid_effect_is_a_case_at_the_next_delivery<H: Outside>(h: &H) {
    let id = fresh_id("gone");
    let key = gone_in_mid_effect(h, id).await;
    h.age(Duration::from_secs(61)).await;
    for _ in 0..2 {
        let told = h.store().claim(&request(outside(), id, "10")).await;
        let Ok(Claimed::Told(Why::Ambiguous { reason })) = told else {
            panic!("{told:?}");
        };
        let told = call::<H>(h.store(), &delivery(outside(), id)).await;
        assert!(
            matches!(&told, Ok(Outcome::Ambiguous { reason: same }) if *same == reason),
            "{told:?}"
        );
        assert_eq!(only_letter(h, &key).await.known, reason);
    }
    let row = h
        .store()
        .list(&Filter::new().key(&key))
        .await
        .expect("it lists");
    assert_eq!(row[0].status.as_str(), "ambiguous");
}

async fn an_owner_gone_in_mid_effect_is_a_case_at_the_next_sweep<H: Outside>(h: &H) {
    let mut keys = BTreeSet::new();
    for what in ["one", "two", "three"] {
        keys.insert(gone_in_mid_effect(h, fresh_id(what)).await);
    }
    h.age(Duration::from_secs(61)).await;
    let workflows = Workflows::new().with(outside());
    let mut found = BTreeSet::new();
    for expected in [2, 1, 0] {
        let letters = h.store().promote(2, &workflows).await.expect("it looks");
        assert_eq!(letters.len(), expected, "a batch is bounded");
        for letter in letters {
            assert_eq!(letter.owner.as_deref(), Some("payments-oncall"));
            assert!(
                letter.known.contains("`receipt-mail` had begun"),
                "{letter:?}"
            );
            found.insert(letter.key);
        }
    }
    assert_eq!(found, keys);
    let waiting = h
        .store()
        .list(&Filter::new().dead())
        .await
        .expect("it lists");
    assert_eq!(waiting.len(), 3);
}

async fn a_running_lease_is_no_case_whatever_has_begun<H: Outside>(h: &H) {
    let key = gone_in_mid_effect(h, fresh_id("at work")).await;
    let letters = h.store().promote(10, &Workflows::new()).await;
    assert_eq!(letters.expect("it looks"), []);
    assert_eq!(h.store().letters(&key).await.expect("it reads"), []);
}

async fn many_deliveries_at_once_write_one_letter<H: Outside>(h: &H) {
    let id = fresh_id("crowd");
    let key = gone_in_mid_effect(h, id).await;
    h.age(Duration::from_secs(61)).await;
    let crowd: Vec<_> = (0..8)
        .map(|_| spawn::<H>(h.store(), &delivery(outside(), id)))
        .collect();
    for one in crowd {
        let told = one.await.expect("it ends");
        assert!(matches!(told, Ok(Outcome::Ambiguous { .. })), "{told:?}");
    }
    only_letter(h, &key).await;
}

async fn an_ambiguous_row_without_a_letter_gets_one_from_a_sweep<H: Outside>(h: &H) {
    let asked = request(flow(Mode::Leased), fresh_id("bare"), "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    let failed = h
        .store()
        .fail(&asked, &claim, Remains::Unknown("a test said so"))
        .await;
    assert_eq!(failed.expect("it answers"), Held::Yes(()));
    let letters = h
        .store()
        .promote(10, &Workflows::new())
        .await
        .expect("it looks");
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].known, "a test said so");
}

async fn a_case_under_a_previous_recipes_key_gets_its_letter_there<H: Harness>(h: &H) {
    let (old, new) = (fresh_id("old"), fresh_id("new"));
    let leased = flow(Mode::Leased);
    let asked = request(leased, old, "10");
    let Claimed::Won(claim) = h.store().claim(&asked).await.expect("it answers") else {
        panic!("the key is absent");
    };
    let failed = h
        .store()
        .fail(&asked, &claim, Remains::Unknown("a test said so"))
        .await;
    assert_eq!(failed.expect("it answers"), Held::Yes(()));
    let until = std::time::SystemTime::now() + Duration::from_secs(3600);
    let present = request(leased, new, "10").previous(asked.key().clone(), until);
    let letter = h.store().note(&present).await.expect("it answers");
    assert_eq!(
        letter.map(|letter| letter.key).as_deref(),
        Some(asked.key().as_str())
    );
    assert_eq!(h.store().note(&present).await.expect("it answers"), None);
}

async fn a_sweeper_in_the_background_deletes_rows_and_finds_cases<H: Outside>(h: &H) {
    let done = delivery(workflow(Mode::Leased, |w| w), fresh_id("old")).only([]);
    assert!(is_fresh(&call::<H>(h.store(), &done).await));
    h.age(Duration::from_secs(3601)).await;
    let key = gone_in_mid_effect(h, fresh_id("found")).await;
    h.age(Duration::from_secs(61)).await;
    let sweeping = Sweeper::new(h.store().clone())
        .every(Duration::from_millis(1))
        .batch(1)
        .workflow(outside())
        .start();
    let both = async {
        while h.rows().await > 1 || told_about(&key) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), both)
        .await
        .expect("the row goes, and the case is told");
    assert_eq!(
        only_letter(h, &key).await.owner.as_deref(),
        Some("payments-oncall")
    );
    drop(sweeping);
}

struct Broken(bool);

impl DeadLetter for Broken {
    fn tell(&self, _letter: &Letter) -> Result<(), Box<dyn StdError + Send + Sync>> {
        if self.0 {
            std::panic::panic_any("the hook's own panic");
        }
        Err("no way to tell anybody".into())
    }
}

#[tokio::test]
async fn a_hook_that_fails_or_panics_changes_no_answer_and_no_other_hook() {
    use super::stores::Memory;
    let store = MemoryStore::new()
        .dead_letters_to(Arc::new(Broken(true)))
        .dead_letters_to(Arc::new(Broken(false)));
    let doubtful =
        delivery(flow(Mode::Leased), fresh_id("broken")).then(Step::Fail(Oops::WhoKnows));
    let told = call::<Memory>(&store, &doubtful).await;
    assert!(matches!(told, Err(Error::Unknown(_))), "{told:?}");
    assert_eq!(told_about(doubtful.key().as_str()), 1);
}

#[test]
fn workflows_know_whom_a_case_concerns() {
    let known = Workflows::new().with(flow(Mode::Leased));
    let own = known.get("conformance").expect("it is known");
    assert_eq!(own.owner.as_deref(), Some("payments-oncall"));
    assert_eq!(own.window, Some(Duration::from_secs(3600)));
    let other = Workflows::new().of("conformance", Addressee::default());
    assert_eq!(known.clone().or(other), known);
}
