use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use stateright::Model as _;

use super::case::{Budget, whole};
use super::model::{SETTLED, Schedule};
use super::state::State;
use super::{Findings, search};

#[test]
fn the_protocol_keeps_every_promise_and_every_twin_breaks_one() {
    let findings: Findings = search(false, |_| {});
    for one in &findings.whole {
        assert!(one.broken.is_none(), "{one}");
    }
    for twin in &findings.twins {
        let Some((promise, lines)) = &twin.broken else {
            panic!("not caught: {twin}");
        };
        assert_ne!(*promise, SETTLED, "caught for another reason: {twin}");
        assert!(lines.iter().any(|line| line.starts_with("worker A: ")));
    }
    assert!(findings.passed(), "{findings}");
}

/// A schedule that ends is one that does not go round in circles: the search sees only ends.
#[test]
fn no_schedule_comes_back_to_where_it_was() {
    for mut case in whole(false) {
        case.budget = Budget {
            crashes: 1,
            losses: 1,
            ticks: 2,
            ..case.budget
        };
        if case.bodies.len() > 2 {
            continue;
        }
        assert!(is_acyclic(&Schedule(case)), "{}", case.name);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Visited {
    OnTheWay,
    Behind,
}

fn is_acyclic(model: &Schedule) -> bool {
    let mut visited = HashMap::new();
    let mut way: Vec<(u64, Vec<State>)> = Vec::new();
    for first in model.init_states() {
        visited.insert(digest(&first), Visited::OnTheWay);
        way.push((digest(&first), model.next_states(&first)));
    }
    while let Some((here, next)) = way.last_mut() {
        let Some(state) = next.pop() else {
            visited.insert(*here, Visited::Behind);
            way.pop();
            continue;
        };
        let digest = digest(&state);
        match visited.get(&digest) {
            Some(Visited::OnTheWay) => return false,
            Some(Visited::Behind) => {}
            None => {
                visited.insert(digest, Visited::OnTheWay);
                way.push((digest, model.next_states(&state)));
            }
        }
    }
    true
}

fn digest(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}
