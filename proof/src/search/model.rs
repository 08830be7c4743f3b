//! Every schedule: who may do what next, and what comes of it.

use idem::claim::{Decision, Status, Told};
use stateright::{Model, Property};

use super::case::{Case, Mode, Outside, Twin};
use super::state::{Answer, Ending, Hand, Session, State, Step, Worker, World, Wrong};
use super::store::{Others, Reply, is_busy};

/// One step of a schedule. Workers are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A worker does what it does next.
    Step(usize),
    /// A worker's process is killed, and its delivery comes again.
    Crash(usize),
    /// A worker's statement is answered by a broken connection.
    Lose(usize, Fate),
    /// A caller hangs up, and asks again.
    HangUp(usize),
    /// A handler fails, and nothing of it remains.
    Fail(usize),
    /// The store executes a statement whose answer nobody awaits.
    Late(usize),
    /// Time passes.
    Tick,
    /// A window passes.
    Expire,
    /// A row past its window is deleted.
    Sweep,
    /// The sweeper marks a row as ambiguous, whose owner is gone and whose effect had begun.
    Promote,
}

/// What became of the statement whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Executed,
    Never,
    /// It is executed at some later moment.
    Later,
}

/// A case, searched.
#[derive(Clone, Debug)]
pub(crate) struct Schedule(pub(crate) Case);

impl Model for Schedule {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let worker = |body: &u8| Worker {
            hand: Hand::fresh(*body, self.first()),
            late: None,
            landed: 0,
        };
        vec![State {
            world: World::default(),
            workers: self.0.bodies.iter().map(worker).collect(),
            left: self.0.budget,
            wrong: None,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.wrong.is_some() || state.is_at_rest() {
            return;
        }
        let mut moving = false;
        for (at, worker) in state.workers.iter().enumerate() {
            let step = worker.hand.step;
            if worker.late.is_some() && !self.is_blocked(state, at, true) {
                actions.push(Action::Late(at));
                moving = true;
            }
            if matches!(step, Step::Told(_)) {
                continue;
            }
            if !self.is_blocked(state, at, false) {
                actions.push(Action::Step(at));
                moving = true;
            }
            if self.is_idle(&worker.hand) {
                continue;
            }
            if state.left.crashes > 0 {
                actions.push(Action::Crash(at));
            }
            if state.left.hang_ups > 0 && self.can_hang_up(step) {
                actions.push(Action::HangUp(at));
            }
            if state.left.failures > 0 && self.can_fail(state, step) {
                actions.push(Action::Fail(at));
            }
            if state.left.losses > 0 && is_asked(step) && !self.gives_up(&worker.hand) {
                actions.push(Action::Lose(at, Fate::Never));
                if outlives_its_session(step) {
                    if !self.is_blocked(state, at, false) {
                        actions.push(Action::Lose(at, Fate::Executed));
                    }
                    // A provider is not asked to hold a request back longer than it keeps keys.
                    if step != Step::Call && worker.late.is_none() {
                        actions.push(Action::Lose(at, Fate::Later));
                    }
                }
            }
        }
        // Time passes for nothing when nobody could go on: that is not a pause.
        if state.left.ticks > 0 || !moving {
            actions.push(Action::Tick);
        }
        if state.world.is_lapsed(&self.0) && !self.others(state, None, 0).row {
            actions.push(Action::Promote);
        }
        if let Some(row) = state.world.rows[0]
            && matches!(row.status, Status::Done | Status::Failed)
        {
            if row.expired {
                if !self.others(state, None, 0).row {
                    actions.push(Action::Sweep);
                }
            } else if state.left.windows > 0 && !self.has_zombie(state) {
                actions.push(Action::Expire);
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Step(at) => self.step(&mut state, at),
            Action::Crash(at) => {
                state.left.crashes -= 1;
                self.start_over(&mut state.workers[at]);
            }
            Action::Lose(at, fate) => self.lose(&mut state, at, fate),
            Action::HangUp(at) => self.hang_up(&mut state, at),
            Action::Fail(at) => {
                state.left.failures -= 1;
                let hand = &mut state.workers[at].hand;
                let ending = if hand.step == Step::Call {
                    Ending::Refused
                } else {
                    Ending::Failed
                };
                hand.session = Session::default();
                hand.step = Step::Fail(ending);
            }
            Action::Late(at) => {
                let mut hand = state.workers[at].late.take()?;
                let others = self.others(&state, Some((at, true)), hand.key);
                let reply = state.world.execute(&self.0, &mut hand, others);
                self.note(&mut state, at, &hand, &reply);
            }
            Action::Tick => self.tick(&mut state),
            Action::Expire => {
                state.left.windows -= 1;
                if let Some(row) = &mut state.world.rows[0] {
                    row.expired = true;
                }
                for worker in &mut state.workers {
                    worker.landed = 0;
                }
            }
            Action::Sweep => state.world.rows[0] = None,
            Action::Promote => {
                if let Some(row) = &mut state.world.rows[0] {
                    row.status = Status::Ambiguous;
                }
            }
        }
        // Ticks that change nothing end a schedule in which everybody waits for ever.
        (state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // A property is a plain function, so each promise has one of its own.
        macro_rules! kept {
            ($($wrong:ident)*) => {
                vec![$(Property::always(Wrong::$wrong.promise(), |_, state: &State| {
                    state.wrong != Some(Wrong::$wrong)
                }),)*]
            };
        }
        let mut properties: Vec<Property<Self>> = kept![
            LocalTwice KeyedTwice IrreversibleTwice RerunAfterIrreversible FalseReplay FalseFresh
            FalseRefusal
        ];
        properties.push(Property::eventually(
            SETTLED,
            |model: &Self, state: &State| {
                state.wrong.is_some() || (state.is_at_rest() && model.is_settled(state))
            },
        ));
        properties
    }
}

/// The promise about the end of every schedule.
pub(crate) const SETTLED: &str =
    "every schedule ends: all are answered, and the effect is done, or a person is asked";

impl Schedule {
    fn first(&self) -> Step {
        match self.0.twin {
            Some(Twin::NoClaim | Twin::ClaimAfterEffect) => Step::Write,
            Some(_) | None => Step::Look,
        }
    }

    fn start_over(&self, worker: &mut Worker) {
        worker.hand = Hand::fresh(worker.hand.body, self.first());
    }

    fn is_idle(&self, hand: &Hand) -> bool {
        *hand == Hand::fresh(hand.body, hand.step)
            && (hand.step == self.first() || matches!(hand.step, Step::Look | Step::Wait))
    }

    /// What everybody else, and the statements under way, hold on a key.
    fn others(&self, state: &State, me: Option<(usize, bool)>, key: usize) -> Others {
        let mut others = Others::default();
        for (at, worker) in state.workers.iter().enumerate() {
            for (late, hand) in [(false, Some(&worker.hand)), (true, worker.late.as_ref())] {
                let Some(hand) = hand.filter(|hand| hand.key == key) else {
                    continue;
                };
                if me != Some((at, late)) {
                    others.lock |= hand.session.lock;
                    others.row |= hand.session.pending.is_some();
                }
            }
        }
        others
    }

    /// Whether the next statement waits for another session, or a caller to be busy no more.
    fn is_blocked(&self, state: &State, at: usize, late: bool) -> bool {
        let worker = &state.workers[at];
        let Some(hand) = (if late {
            worker.late.as_ref()
        } else {
            Some(&worker.hand)
        }) else {
            return true;
        };
        let others = self.others(state, Some((at, late)), hand.key);
        match hand.step {
            Step::Wait => others.lock || is_busy(&state.world.decide(&self.0, hand)),
            Step::Complete if self.0.is(Twin::CheckThenInsert) => false,
            Step::Begun if self.0.is(Twin::BegunMarkUnlocked) => false,
            Step::Claim
            | Step::Begun
            | Step::Record
            | Step::Complete
            | Step::Fail(_)
            | Step::Release => others.row,
            Step::Look
            | Step::Begin
            | Step::ReadLocked
            | Step::BegunInsert
            | Step::Call
            | Step::Write
            | Step::Check
            | Step::Commit
            | Step::Told(_) => false,
        }
    }

    /// Whether somebody is at work who may not know that the row is another's. A window is longer
    /// than any attempt: nobody sleeps through one and goes on.
    fn has_zombie(&self, state: &State) -> bool {
        state.workers.iter().any(|worker| {
            worker.late.is_some() || worker.hand.claim.is_some() || worker.hand.deadline > 0
        })
    }

    fn can_hang_up(&self, step: Step) -> bool {
        !matches!(step, Step::Claim | Step::Fail(_) | Step::Release)
    }

    fn can_fail(&self, state: &State, step: Step) -> bool {
        match step {
            Step::Write => true,
            Step::Call => state.world.provider.performed == 0,
            Step::Look
            | Step::Wait
            | Step::Begin
            | Step::ReadLocked
            | Step::Claim
            | Step::Begun
            | Step::BegunInsert
            | Step::Record
            | Step::Check
            | Step::Complete
            | Step::Commit
            | Step::Fail(_)
            | Step::Release
            | Step::Told(_) => false,
        }
    }

    fn step(&self, state: &mut State, at: usize) {
        let mut hand = state.workers[at].hand;
        if matches!(hand.step, Step::Look | Step::Wait) {
            hand.deadline = self.0.terms.deadline;
            if self.0.is(Twin::ClockInKey) {
                hand.key = usize::from(state.left.ticks < self.0.budget.ticks);
            }
        }
        if self.gives_up(&hand) {
            self.give_up(&mut hand);
            state.workers[at].hand = hand;
            return;
        }
        let others = self.others(state, Some((at, false)), hand.key);
        let reply = state.world.execute(&self.0, &mut hand, others);
        self.note(state, at, &hand, &reply);
        self.go_on(&mut hand, &reply);
        if let Step::Told(answer) = hand.step {
            self.judge(state, at, answer, &reply);
        }
        if matches!(hand.step, Step::Told(_) | Step::Look | Step::Wait) {
            hand = Hand::fresh(hand.body, hand.step);
            if hand.step == Step::Look && !matches!(reply, Reply::Committed(_)) {
                hand.step = self.first();
            }
        }
        state.workers[at].hand = hand;
    }

    /// Whether the next step looks at the own deadline, which is over.
    fn gives_up(&self, hand: &Hand) -> bool {
        hand.deadline == 0
            && matches!(hand.step, Step::Call | Step::Check)
            && !self.0.is(Twin::NoDeadline)
    }

    /// The own deadline is over: nothing is called or committed any more.
    fn give_up(&self, hand: &mut Hand) {
        hand.session = Session::default();
        if hand.step == Step::Call {
            // The mark stays: whether an earlier call happened is not known here.
            *hand = Hand::fresh(hand.body, self.first());
        } else {
            hand.step = Step::Fail(Ending::Failed);
        }
    }

    /// What a worker does after an answer.
    fn go_on(&self, hand: &mut Hand, reply: &Reply) {
        let case = &self.0;
        let after_claim = match case.outside {
            Some(_) if case.is(Twin::RecordAfterCall) => Step::Call,
            Some(_) => Step::Begun,
            None => Step::Write,
        };
        hand.step = match (hand.step, reply) {
            (_, Reply::Decided(Decision::Told(told))) => {
                hand.session = Session::default();
                match told {
                    Told::Busy { .. } => Step::Wait,
                    Told::Replay { .. } => Step::Told(Answer::Replay),
                    Told::Mismatch { .. } => Step::Told(Answer::Mismatch),
                    Told::Exhausted { .. } => Step::Told(Answer::Exhausted),
                    Told::Ambiguous { .. } | Told::Unreadable(_) => Step::Told(Answer::Ambiguous),
                }
            }
            (Step::ReadLocked, Reply::Decided(Decision::Won(claim))) => {
                hand.claim = Some(*claim);
                Step::Write
            }
            (_, Reply::Decided(Decision::Won(claim))) if case.is(Twin::CheckThenInsert) => {
                hand.claim = Some(*claim);
                Step::Write
            }
            (_, Reply::Decided(Decision::Won(_))) => match case.mode {
                Mode::Fused | Mode::FusedWithoutLock => Step::Begin,
                Mode::Leased => Step::Claim,
            },
            (_, Reply::Locked(true)) => Step::ReadLocked,
            (_, Reply::Locked(false)) => Step::Wait,
            (_, Reply::Won(claim)) => {
                hand.claim = Some(*claim);
                match case.twin {
                    Some(Twin::ClaimAfterEffect | Twin::CompletionBeforeEffect) => Step::Complete,
                    Some(_) | None => after_claim,
                }
            }
            (Step::Begun, Reply::Held) if case.is(Twin::BegunMarkUnlocked) => Step::BegunInsert,
            (Step::Begun | Step::BegunInsert, Reply::Held) => Step::Call,
            (_, Reply::Known) => Step::Write,
            (_, Reply::Called(_)) => Step::Record,
            (Step::Record, Reply::Held) => Step::Write,
            (Step::Write, _) => match case.twin {
                Some(
                    Twin::NoClaim
                    | Twin::ClaimAfterEffect
                    | Twin::TwoTransactions
                    | Twin::CompletionBeforeEffect,
                ) => Step::Commit,
                Some(_) | None => Step::Check,
            },
            (Step::Check, _) => Step::Complete,
            (Step::Complete, Reply::Held) => Step::Commit,
            (Step::Commit, Reply::Committed(0)) if case.is(Twin::CompletionBeforeEffect) => {
                Step::Write
            }
            (Step::Commit, Reply::Committed(1)) => match (case.twin, hand.claim) {
                (Some(Twin::ClaimAfterEffect), None) => Step::Look,
                (Some(Twin::TwoTransactions), _) => Step::Complete,
                (Some(_) | None, _) => Step::Told(Answer::Fresh),
            },
            (Step::Commit, _) => Step::Told(Answer::Fresh),
            (Step::Fail(Ending::Ambiguous), Reply::Held) => Step::Told(Answer::Ambiguous),
            // Failed, given back, or fenced: the delivery comes again.
            (_, _) => Step::Look,
        };
    }

    fn lose(&self, state: &mut State, at: usize, fate: Fate) {
        state.left.losses -= 1;
        let mut hand = state.workers[at].hand;
        match fate {
            Fate::Never => {}
            Fate::Executed => {
                let others = self.others(state, Some((at, false)), hand.key);
                let reply = state.world.execute(&self.0, &mut hand, others);
                self.note(state, at, &hand, &reply);
            }
            Fate::Later => state.workers[at].late = Some(hand),
        }
        hand.session = Session::default();
        if hand.step == Step::Write && hand.claim.is_some() {
            // The handler's statement failed; its author says that nothing happened.
            hand.step = Step::Fail(Ending::Failed);
        } else if hand.step == Step::Call {
            // Nobody knows; where the provider deduplicates, trying again is safe all the same.
            hand.step = Step::Fail(match self.0.outside {
                Some(Outside::Keyed) => Ending::Failed,
                Some(Outside::Irreversible) | None => Ending::Ambiguous,
            });
        } else {
            hand = Hand::fresh(hand.body, self.first());
        }
        state.workers[at].hand = hand;
    }

    fn hang_up(&self, state: &mut State, at: usize) {
        state.left.hang_ups -= 1;
        let worker = &mut state.workers[at];
        if worker.hand.step == Step::Commit && worker.late.is_none() {
            worker.late = Some(worker.hand);
        }
        worker.hand.session = Session::default();
        let begun = state.world.effect.is_some() && !self.0.is(Twin::HangUpReleasesBegun);
        if self.0.mode == Mode::Leased && worker.hand.claim.is_some() && !begun {
            worker.hand.step = Step::Release;
        } else {
            self.start_over(worker);
        }
    }

    fn tick(&self, state: &mut State) {
        state.left.ticks = state.left.ticks.saturating_sub(1);
        state.world.tick(&self.0);
        for worker in &mut state.workers {
            worker.hand.deadline = worker.hand.deadline.saturating_sub(1);
        }
    }
}

/// Whether a step asks another system.
const fn is_asked(step: Step) -> bool {
    !matches!(step, Step::Check | Step::Told(_))
}

/// Whether a statement can take effect although its connection breaks: the others are undone with
/// their transaction, or change nothing.
const fn outlives_its_session(step: Step) -> bool {
    matches!(
        step,
        Step::Claim
            | Step::Begun
            | Step::BegunInsert
            | Step::Call
            | Step::Record
            | Step::Commit
            | Step::Fail(_)
            | Step::Release
    )
}
