//! The store, statement by statement: each is atomic, and none is trusted with more than the
//! condition that its SQL states. Who wins is the library's own decision.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use idem::claim::{Claim, Decision, ResultKind, Row, Status, StoredResult, Told, decide};
use idem::store::Request;
use idem::{Fence, FieldType, Fingerprint, Key, Workflow};

use super::case::{Case, MANY, Mode, Outside, Twin};
use super::state::{Effect, Ending, Hand, Record, Session, Step, World};

/// What a statement answered.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Decided(Decision),
    /// Whether the key's lock is ours.
    Locked(bool),
    Won(Claim),
    /// The condition held, and the statement took effect.
    Held,
    /// The condition did not hold; nothing was changed.
    Missed,
    /// An earlier attempt has recorded the effect's result.
    Known,
    /// The provider was called.
    Called(Call),
    /// Committed, with that many local effects.
    Committed(u8),
}

/// What a call did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Performed,
    /// The provider knew the key and answered as before.
    Recognised,
}

/// What other sessions hold on the key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Others {
    pub(crate) lock: bool,
    pub(crate) row: bool,
}

/// The requests of two bodies under one key, for each number of attempts a case allows.
struct Requests {
    many: [Request; 2],
    two: [Request; 2],
}

static UNBOUNDED: Workflow = Workflow::new("searched", 1).max_attempts(MANY);
static TWO: Workflow = Workflow::new("searched", 1).max_attempts(2);
#[expect(
    clippy::expect_used,
    reason = "constants that are a key and a hashable number"
)]
static REQUESTS: LazyLock<Requests> = LazyLock::new(|| {
    let request = |workflow, body: u8| {
        let key = Key::from_stored("searched:v1:one").expect("a key");
        let mut hasher = Fingerprint::recipe("searched", 1);
        hasher.field("amount", FieldType::Integer, &body);
        Request::new(workflow, key, hasher.finish().expect("a number is hashed"))
    };
    let both = |workflow| [request(workflow, 0), request(workflow, 1)];
    Requests {
        many: both(&UNBOUNDED),
        two: both(&TWO),
    }
});

fn request(case: &Case, body: u8) -> &'static Request {
    let requests: &'static Requests = &REQUESTS;
    let of_body = if case.max_attempts == TWO.attempts() {
        &requests.two
    } else {
        &requests.many
    };
    &of_body[usize::from(body)]
}

impl World {
    /// The library's decision on the row as it is now.
    pub(crate) fn decide(&self, case: &Case, hand: &Hand) -> Decision {
        let request = request(case, hand.body);
        let row = self.rows[hand.key].map(|record| {
            let known = if case.is(Twin::HashIgnored) {
                request.fingerprint()
            } else {
                self::request(case, record.body).fingerprint()
            };
            Row {
                workflow: request.workflow().name().to_owned(),
                status: record.status,
                expired: record.expired,
                lease_left: (record.status == Status::InFlight && record.lease > 0)
                    .then(|| Duration::from_secs(record.lease.into())),
                request_hash: known.digest().to_vec(),
                hash_recipe: known.version(),
                field_digests: Vec::new(),
                attempt: record.attempt,
                fence: record.fence,
                result: (record.status == Status::Done).then(|| StoredResult {
                    kind: ResultKind::Value,
                    bytes: vec![record.body],
                    version: 1,
                    completed_at: SystemTime::UNIX_EPOCH,
                }),
                begun_effect: self.begun(case),
                ambiguous_reason: None,
            }
        });
        decide(row, request)
    }

    /// The effect of which nobody can know whether it happened, as the store reads it.
    fn begun(&self, case: &Case) -> Option<String> {
        let effect = self.effect.filter(|effect| !effect.done)?;
        let unknown = match case.outside? {
            Outside::Irreversible => !case.is(Twin::TakeoverIgnoresBegun),
            Outside::Keyed => effect.age >= case.known_for() && !case.is(Twin::KeyLifetimeIgnored),
        };
        unknown.then(|| "effect".to_owned())
    }

    /// Whether only a person can say what became of the row's attempt: its lease is over, and an
    /// effect had begun of which nobody can know.
    pub(crate) fn is_lapsed(&self, case: &Case) -> bool {
        self.begun(case).is_some()
            && self.rows[0].is_some_and(|row| row.status == Status::InFlight && row.lease == 0)
    }

    /// Executes the next statement of a hand.
    pub(crate) fn execute(&mut self, case: &Case, hand: &mut Hand, others: Others) -> Reply {
        match hand.step {
            Step::Look | Step::Wait | Step::ReadLocked => Reply::Decided(self.decide(case, hand)),
            Step::Begin => {
                let ours = case.mode == Mode::FusedWithoutLock || !others.lock;
                hand.session.lock = ours && case.mode == Mode::Fused;
                Reply::Locked(ours)
            }
            Step::Claim => match self.decide(case, hand) {
                Decision::Told(_) => Reply::Missed,
                Decision::Won(claim) => {
                    self.rows[hand.key] = Some(Record {
                        status: Status::InFlight,
                        lease: case.terms.lease,
                        expired: false,
                        body: hand.body,
                        attempt: claim.attempt,
                        fence: claim.fence,
                    });
                    Reply::Won(claim)
                }
            },
            Step::Begun if case.is(Twin::BegunMarkUnlocked) => self.holds(hand),
            Step::Begun if matches!(self.holds(hand), Reply::Missed) => Reply::Missed,
            Step::Begun => self.mark_begun(case, hand),
            Step::BegunInsert => self.mark_begun(case, hand),
            Step::Call => Reply::Called(self.call(case)),
            Step::Record => {
                let held = self.holds(hand);
                if let (Reply::Held, Some(claim)) = (&held, hand.claim) {
                    self.effect = Some(Effect {
                        done: true,
                        age: 0,
                        fence: claim.fence,
                    });
                }
                held
            }
            Step::Write => {
                hand.session.wrote = true;
                Reply::Held
            }
            Step::Complete => self.complete(case, hand),
            Step::Commit => {
                let Session { wrote, pending, .. } = std::mem::take(&mut hand.session);
                if let Some(record) = pending {
                    self.rows[hand.key] = Some(record);
                }
                Reply::Committed(wrote.into())
            }
            Step::Fail(ending) => self.fail(case, hand, ending),
            Step::Release => {
                let held = self.holds_to_end(case, hand);
                let status = self.failed(case);
                if let (Reply::Held, Some(row)) = (&held, &mut self.rows[hand.key]) {
                    row.status = status;
                    row.attempt -= 1;
                    row.lease = 0;
                }
                held
            }
            Step::Check | Step::Told(_) => Reply::Held,
        }
    }

    /// `where idempotency_key = $1 and fence = $2 and status = 'in_flight'`
    fn holds(&self, hand: &Hand) -> Reply {
        let held = self.rows[hand.key].is_some_and(|row| {
            row.status == Status::InFlight
                && hand.claim.is_some_and(|claim| claim.fence == row.fence)
        });
        if held { Reply::Held } else { Reply::Missed }
    }

    /// The same for a failure or a release.
    fn holds_to_end(&self, case: &Case, hand: &Hand) -> Reply {
        match self.rows[hand.key] {
            Some(row) if case.is(Twin::UnfencedFailure) && row.status == Status::InFlight => {
                Reply::Held
            }
            Some(_) | None => self.holds(hand),
        }
    }

    /// What a failure leaves: where a keyed effect may have happened, a row in flight whose lease is
    /// over, so that the next claim judges whether the provider knows the key still.
    fn failed(&self, case: &Case) -> Status {
        let open = self.effect.is_some_and(|effect| !effect.done);
        if open && case.outside == Some(Outside::Keyed) {
            Status::InFlight
        } else {
            Status::Failed
        }
    }

    fn mark_begun(&mut self, case: &Case, hand: &Hand) -> Reply {
        let Some(claim) = hand.claim else {
            return Reply::Missed;
        };
        let before = self.effect;
        if before.is_some_and(|effect| effect.done) {
            return Reply::Known;
        }
        // `and (keyed_until is null or keyed_until > clock_timestamp())`
        if case.outside == Some(Outside::Keyed) && self.begun(case).is_some() {
            return Reply::Missed;
        }
        self.effect = Some(Effect {
            done: false,
            age: match before {
                Some(effect) if !case.is(Twin::BegunTimeRefreshed) => effect.age,
                Some(_) | None => 0,
            },
            fence: claim.fence,
        });
        Reply::Held
    }

    fn call(&mut self, case: &Case) -> Call {
        let knows = case.outside == Some(Outside::Keyed)
            && self.provider.remembers.is_some()
            && !case.is(Twin::KeyOfTheAttempt);
        if knows {
            return Call::Recognised;
        }
        self.provider.performed += 1;
        self.provider.remembers = Some(0);
        Call::Performed
    }

    fn complete(&self, case: &Case, hand: &mut Hand) -> Reply {
        let held = match (case.mode, case.twin) {
            (_, Some(Twin::CheckThenInsert)) => true,
            (_, Some(Twin::UnfencedCompletion)) => self.rows[hand.key].is_some(),
            (Mode::Leased, _) => matches!(self.holds(hand), Reply::Held),
            (Mode::Fused | Mode::FusedWithoutLock, _) => self.still_followed(hand),
        };
        let (true, Some(claim)) = (held, hand.claim) else {
            return Reply::Missed;
        };
        hand.session.pending = Some(self.ended(case, hand, claim, Status::Done));
        Reply::Held
    }

    /// The row after a completion or a failure: a leased one is updated, a fused one written whole.
    fn ended(&self, case: &Case, hand: &Hand, claim: Claim, status: Status) -> Record {
        let (attempt, fence) = match (case.mode, self.rows[hand.key]) {
            (Mode::Leased, Some(row)) => (row.attempt, row.fence),
            (Mode::Leased | Mode::Fused | Mode::FusedWithoutLock, _) => {
                (claim.attempt, claim.fence)
            }
        };
        Record {
            status,
            lease: 0,
            expired: false,
            body: hand.body,
            attempt,
            fence,
        }
    }

    /// `on conflict … where known.fence = $15 and known.status = $16 and (known.status <> 'done' or
    /// known.expires_at <= clock_timestamp())`; no conflict, no condition.
    fn still_followed(&self, hand: &Hand) -> bool {
        let Some(row) = self.rows[hand.key] else {
            return true;
        };
        let followed = hand.claim.and_then(|claim| claim.followed);
        followed.is_some_and(|followed| {
            followed.fence == row.fence
                && followed.status == row.status
                && (row.status != Status::Done || row.expired)
        })
    }

    fn fail(&mut self, case: &Case, hand: &Hand, ending: Ending) -> Reply {
        let held = match case.mode {
            Mode::Leased => matches!(self.holds_to_end(case, hand), Reply::Held),
            Mode::Fused | Mode::FusedWithoutLock => self.still_followed(hand),
        };
        let (true, Some(claim)) = (held, hand.claim) else {
            return Reply::Missed;
        };
        if ending == Ending::Refused {
            self.effect = None;
        }
        let status = match ending {
            Ending::Failed | Ending::Refused => self.failed(case),
            Ending::Ambiguous => Status::Ambiguous,
        };
        self.rows[hand.key] = Some(self.ended(case, hand, claim, status));
        Reply::Held
    }

    /// One tick of every clock that is not a worker's.
    pub(crate) fn tick(&mut self, case: &Case) {
        for row in self.rows.iter_mut().flatten() {
            row.lease = row.lease.saturating_sub(1);
        }
        let lifetime = case.terms.key_lifetime;
        if let Some(effect) = &mut self.effect
            && !effect.done
        {
            effect.age = effect.age.saturating_add(1).min(lifetime);
        }
        self.provider.remembers = match self.provider.remembers {
            Some(age) if case.outside == Some(Outside::Keyed) => {
                Some(age + 1).filter(|age| *age < lifetime)
            }
            same => same,
        };
    }
}

/// Whether a decision is "busy".
pub(crate) const fn is_busy(decision: &Decision) -> bool {
    matches!(decision, Decision::Told(Told::Busy { .. }))
}

/// The fence of a hand's claim, for reports.
pub(crate) fn fence_of(claim: &Claim) -> u64 {
    Fence::get(claim.fence)
}
