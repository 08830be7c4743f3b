//! A claim while a changed key recipe overlaps with its previous ones.

use idem_templates::sql::mysql as files;
use sqlx::Row as _;

use super::MysqlStore;
use super::errors::{failed, is_conflict, is_taken};
use super::session::Session;
use super::statements::{ABSENT, KNOWN, bound, numbered, of_key};
use crate::claim::{Claim, Decision, Row};
use crate::store::sql::{Found, busy, judge_among, row, won};
use crate::store::{Claimed, Request};
use crate::{Key, StoreError};

const DOING: &str = "claiming a key";

/// What the names of fused claims' locks begin with.
pub(super) const FUSED: &str = "idem:";
/// The same of leased claims, which have them while they are decided.
const LEASED: &str = "idem-claim:";
/// The same of locks that keep nobody from anything.
const LOOKING: &str = "idem-look:";

/// The previous recipes whose time is not over. Their keys' locks are tried before the first read, which
/// is what the transaction then sees.
pub(super) struct Overlap {
    lasting: Vec<(u8, Key)>,
    /// Whether somebody else has the lock of such a key: at work on it, or claiming it.
    locked: bool,
}

impl Overlap {
    pub(super) async fn lock(
        session: &mut Session,
        request: &Request,
        names: &'static str,
    ) -> Result<Self, sqlx::Error> {
        let mut overlap = Self {
            lasting: Vec::new(),
            locked: false,
        };
        for (at, known) in (0..).zip(request.previous_keys()) {
            let until = known.until_millis();
            let (lasts, is_ours) = try_lock(session, known.key(), until, names).await?;
            if lasts {
                overlap.locked |= !is_ours;
                overlap.lasting.push((at, known.key().clone()));
            }
        }
        Ok(overlap)
    }

    /// Decides on the row found under the present key, and on those under the others; those as well.
    pub(super) async fn judge(
        &self,
        session: &mut Session,
        found: Found,
        request: &Request,
    ) -> Result<(Decision, Vec<(u8, Row)>), sqlx::Error> {
        let mut previous = Vec::new();
        for (at, key) in &self.lasting {
            if let Some(row) = read(session, key).await? {
                previous.push((*at, row));
            }
        }
        let (decision, rows) = judge_among(found, previous, request);
        Ok(match decision {
            Decision::Won(_) if self.locked => (Decision::Told(busy(request)), rows),
            decision @ (Decision::Won(_) | Decision::Told(_)) => (decision, rows),
        })
    }
}

/// Whether the moment has not come yet, and whether the key's lock is ours.
async fn try_lock(
    session: &mut Session,
    key: &Key,
    until: i64,
    names: &'static str,
) -> Result<(bool, bool), sqlx::Error> {
    let row = numbered(&files::TRY_LOCK)
        .bind(until)
        .bind(names)
        .bind(names)
        .bind(key.as_str().as_bytes())
        .fetch_one(session.connection_mut())
        .await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

async fn read(session: &mut Session, key: &Key) -> Result<Found, sqlx::Error> {
    let found = of_key(&files::READ, key)
        .fetch_all(session.connection_mut())
        .await?;
    Ok(found.first().map(|columns| row::read(columns, key)))
}

/// Claims in one transaction: under the locks that the claim takes under each key, so that no other
/// claim comes between the look and the statement.
pub(super) async fn claim(
    store: &MysqlStore,
    request: &Request,
) -> Result<Claimed<Claim>, StoreError> {
    let fail = |error| failed(DOING, error);
    for _ in 0..super::ROUNDS {
        let mut session = store.live(DOING).await?;
        session.begin_short().await.map_err(fail)?;
        match decide(&mut session, request).await {
            Ok(Some(Claimed::Won(claim))) => {
                session.end_claim(true).await.map_err(fail)?;
                let (attempt, fence) = (i64::from(claim.attempt), claim.fence.to_stored());
                return Ok(Claimed::Won(Claim {
                    previous: claim.previous,
                    ..won(attempt, fence)?
                }));
            }
            Ok(Some(Claimed::Told(told))) => {
                session.end_claim(false).await.map_err(fail)?;
                return Ok(Claimed::Told(told));
            }
            Ok(None) => session.end_claim(false).await.map_err(fail)?,
            // The session is closed, which is a rollback.
            Err(error) if is_conflict(&error) => {}
            Err(error) => return Err(fail(error)),
        }
    }
    Ok(Claimed::Told(busy(request)))
}

/// One look at all keys, and the statement. `None`: the row changed hands, look again.
async fn decide(
    session: &mut Session,
    request: &Request,
) -> Result<Option<Claimed<Claim>>, sqlx::Error> {
    let (_, is_ours) = try_lock(session, request.key(), 0, LEASED).await?;
    // Whoever has lost the present key's lock leaves the others alone: they would be in the way of
    // whoever has it. What a row says is told without them.
    let names = if is_ours { LEASED } else { LOOKING };
    let mut overlap = Overlap::lock(session, request, names).await?;
    overlap.locked |= !is_ours;
    let found = read(session, request.key()).await?;
    let (decision, rows) = overlap.judge(session, found, request).await?;
    let claim = match decision {
        Decision::Won(claim) => claim,
        Decision::Told(told) => return Ok(Some(Claimed::Told(told))),
    };
    let mut going_on = request.clone();
    going_on.go_on(&claim);
    let row = rows.iter().find(|(at, _)| Some(*at) == claim.previous);
    let statement = match claim.followed {
        None => ABSENT.claim(&going_on),
        Some(_) => KNOWN.claim_again(&going_on, &claim),
    }
    .hashed_as(row.map(|(_, row)| row));
    let claimed = bound(&statement).execute(session.connection_mut()).await;
    match claimed {
        Ok(done) if done.rows_affected() > 0 => Ok(Some(Claimed::Won(claim))),
        Ok(_) => Ok(None),
        Err(error) if is_taken(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
