//! A schedule as lines to read: who did what, and what came of it.

use idem::claim::{Decision, Told};

use super::case::{Case, Outside};
use super::model::{Action, Fate};
use super::state::{Answer, Ending, Hand, State, Step};
use super::store::fence_of;

/// One line for each step of the schedule; ticks in a row are one pause.
pub(crate) fn lines(case: &Case, path: &[(State, Option<Action>)]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut ticks = 0;
    for (at, (before, action)) in path.iter().enumerate() {
        let (Some(action), Some((after, _))) = (action, path.get(at + 1)) else {
            continue;
        };
        if *action == Action::Tick {
            if ticks > 0 {
                out.pop();
            }
            ticks += 1;
            out.push(pause(case, ticks));
        } else {
            ticks = 0;
            out.push(line(case, before, *action, after));
        }
    }
    out
}

fn pause(case: &Case, ticks: u8) -> String {
    let terms = case.terms;
    let past = [
        (terms.key_lifetime, "the provider's memory of a key"),
        (terms.lease, "a lease"),
        (terms.deadline, "an owner's deadline"),
    ];
    let past = past
        .iter()
        .find(|(length, _)| (1..=ticks).contains(length))
        .map_or(String::new(), |(_, what)| format!(", as long as {what}"));
    let plural = if ticks == 1 { "" } else { "s" };
    format!("time passes: {ticks} tick{plural}{past}")
}

fn line(case: &Case, before: &State, action: Action, after: &State) -> String {
    let of = |at: usize, what: String| format!("worker {}: {what}", name(at));
    match action {
        Action::Step(at) => {
            let (hand, next) = (&before.workers[at].hand, &after.workers[at].hand);
            of(at, step(case, before, hand, next))
        }
        Action::Crash(at) => of(at, "is killed; its delivery comes again".to_owned()),
        Action::HangUp(at) => of(at, "is dropped by its caller, who asks again".to_owned()),
        Action::Fail(at) => of(at, "fails, and nothing of it remains".to_owned()),
        Action::Lose(at, fate) => {
            let what = doing(case, &before.workers[at].hand);
            let fate = match fate {
                Fate::Executed => "it was executed",
                Fate::Never => "it was not executed",
                Fate::Later => "it will be executed later",
            };
            of(at, format!("{what}: the answer is lost, {fate}"))
        }
        Action::Late(at) => {
            let what = before.workers[at]
                .late
                .as_ref()
                .map_or_else(String::new, |hand| doing(case, hand));
            format!(
                "the store executes what worker {} had sent: {what}",
                name(at)
            )
        }
        Action::Tick => "a tick passes".to_owned(),
        Action::Expire => "the window passes".to_owned(),
        Action::Sweep => "the row past its window is swept".to_owned(),
        Action::Promote => "the sweeper marks the lapsed row as ambiguous".to_owned(),
    }
}

fn name(at: usize) -> char {
    ['A', 'B', 'C'].get(at).copied().unwrap_or('?')
}

fn step(case: &Case, before: &State, hand: &Hand, next: &Hand) -> String {
    let what = doing(case, hand);
    let came = match (hand.step, next.step) {
        (Step::Look | Step::Wait | Step::ReadLocked, to) => {
            match (before.world.decide(case, hand), to) {
                (_, Step::Told(answer)) => format!("told {}", told(answer)),
                (Decision::Told(Told::Busy { .. }), _) => "busy".to_owned(),
                (Decision::Won(claim), _) => format!("free, as attempt {}", claim.attempt),
                (Decision::Told(_), _) => "not ours".to_owned(),
            }
        }
        (Step::Begin, Step::Wait) => "locked by another".to_owned(),
        (Step::Claim, Step::Look) => "no row; it changed hands".to_owned(),
        (Step::Claim, _) => next.claim.map_or_else(String::new, |claim| {
            format!("won, attempt {}, fence {}", claim.attempt, fence_of(&claim))
        }),
        (Step::Call | Step::Check, Step::Look | Step::Fail(_)) => "it is over".to_owned(),
        (Step::Begun, Step::Write) => "its result is known".to_owned(),
        (
            Step::Begun | Step::Record | Step::Complete | Step::Fail(_) | Step::Release,
            Step::Look | Step::Wait,
        ) if !matches!(hand.step, Step::Fail(_) | Step::Release) => {
            "no row; the claim is lost".to_owned()
        }
        (Step::Commit, Step::Told(answer)) => format!("told {}", told(answer)),
        (_, _) => String::new(),
    };
    if came.is_empty() {
        what
    } else {
        format!("{what}: {came}")
    }
}

fn doing(case: &Case, hand: &Hand) -> String {
    let effect = match case.outside {
        Some(Outside::Keyed) => "keyed effect",
        Some(Outside::Irreversible) => "irreversible effect",
        None => "effect",
    };
    match hand.step {
        Step::Look | Step::Wait => "looks at the key".to_owned(),
        Step::Begin => "begins, and tries the key's lock".to_owned(),
        Step::ReadLocked => "looks at the key in its transaction".to_owned(),
        Step::Claim => "claims the key".to_owned(),
        Step::Begun => format!("marks the {effect} as begun"),
        Step::BegunInsert => format!("writes that the {effect} has begun"),
        Step::Call if hand.deadline == 0 => {
            format!("calls the provider for the {effect} (its own deadline is over)")
        }
        Step::Call => format!("calls the provider for the {effect}"),
        Step::Record => format!("records the {effect}'s result"),
        Step::Write => "writes the local effect".to_owned(),
        Step::Check => "looks at its own deadline".to_owned(),
        Step::Complete => "writes the completion".to_owned(),
        Step::Commit => {
            let effect = if hand.session.wrote {
                "the local effect"
            } else {
                ""
            };
            let done = hand.session.pending.map_or("", |_| "the completion");
            let and = if effect.is_empty() || done.is_empty() {
                ""
            } else {
                " and "
            };
            format!("commits {effect}{and}{done}")
        }
        Step::Fail(Ending::Ambiguous) => "records that it is ambiguous".to_owned(),
        Step::Fail(Ending::Failed | Ending::Refused) => "records that it failed".to_owned(),
        Step::Release => "gives the claim back".to_owned(),
        Step::Told(answer) => format!("was told {}", told(answer)),
    }
}

const fn told(answer: Answer) -> &'static str {
    match answer {
        Answer::Fresh => "fresh",
        Answer::Replay => "replay",
        Answer::Mismatch => "mismatch",
        Answer::Ambiguous => "ambiguous",
        Answer::Exhausted => "exhausted",
    }
}
