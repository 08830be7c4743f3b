//! What is promised: each statement and each answer is held against what has happened before.

use idem::claim::{Decision, Status, Told};

use super::case::Outside;
use super::model::Schedule;
use super::state::{Answer, Hand, State, Step, Wrong};
use super::store::{Call, Reply};

impl Schedule {
    /// Ghosts: what has happened, and whether it may.
    pub(super) fn note(&self, state: &mut State, at: usize, hand: &Hand, reply: &Reply) {
        let wrong = match reply {
            Reply::Committed(landed) => {
                state.workers[at].landed += landed;
                (state.landed() > 1).then_some(Wrong::LocalTwice)
            }
            Reply::Called(call) => {
                let twice = state.world.provider.performed > 1 && *call == Call::Performed;
                match self.0.outside {
                    Some(Outside::Keyed) => twice.then_some(Wrong::KeyedTwice),
                    Some(Outside::Irreversible) if twice => Some(Wrong::IrreversibleTwice),
                    Some(Outside::Irreversible) => {
                        let mine = hand.claim.map(|claim| claim.fence);
                        let others = state
                            .world
                            .effect
                            .is_some_and(|effect| Some(effect.fence) != mine);
                        others.then_some(Wrong::RerunAfterIrreversible)
                    }
                    None => None,
                }
            }
            Reply::Decided(_)
            | Reply::Locked(_)
            | Reply::Won(_)
            | Reply::Held
            | Reply::Missed
            | Reply::Known => None,
        };
        state.wrong = state.wrong.or(wrong);
    }

    /// Whether an answer is true.
    pub(super) fn judge(&self, state: &mut State, at: usize, answer: Answer, reply: &Reply) {
        let case = &self.0;
        let wrong = match answer {
            Answer::Fresh => (state.workers[at].landed == 0).then_some(Wrong::FalseFresh),
            Answer::Replay => {
                let body = state.workers[at].hand.body;
                let of_another = matches!(
                    reply,
                    Reply::Decided(Decision::Told(Told::Replay { result, .. }))
                        if result.bytes != [body]
                );
                (of_another || state.landed() == 0).then_some(Wrong::FalseReplay)
            }
            Answer::Mismatch => {
                let same = case.bodies.iter().all(|body| *body == case.bodies[0]);
                same.then_some(Wrong::FalseRefusal)
            }
            Answer::Ambiguous => case.outside.is_none().then_some(Wrong::FalseRefusal),
            Answer::Exhausted => (case.max_attempts > 2).then_some(Wrong::FalseRefusal),
        };
        state.wrong = state.wrong.or(wrong);
    }

    /// Whether the operation is where it may stay.
    pub(super) fn is_settled(&self, state: &State) -> bool {
        let told = |answer| {
            state
                .workers
                .iter()
                .any(|worker| worker.hand.step == Step::Told(answer))
        };
        // Whoever was told so has asked a person.
        if told(Answer::Ambiguous) || told(Answer::Exhausted) {
            return true;
        }
        let performed = self.0.outside.is_none() || state.world.provider.performed == 1;
        state
            .world
            .rows
            .iter()
            .flatten()
            .all(|row| match row.status {
                Status::Done => row.expired || (state.landed() == 1 && performed),
                Status::Failed => row.expired,
                // The sweeper has asked a person.
                Status::Ambiguous => true,
                Status::InFlight => false,
            })
    }
}
