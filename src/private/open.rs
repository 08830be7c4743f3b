//! From a delivery to a running handler, or to an answer without one.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use super::codec::{Codec, Replayable, codec, failure, value};
use super::end::note;
use super::run::Run;
use crate::claim::{Claim, ResultKind, StoredResult, Told};
use crate::desk::remember;
use crate::error::{StoredError, StoredErrorKind, what_json_says};
use crate::observe;
use crate::store::unbroken::unbroken;
use crate::store::{Claimed, Request, TransactionalStore};
use crate::{
    Answer, Busy, Error, Failure, Fence, Fingerprint, Key, KeyError, Mode, Outage, Outcome,
    StoreError, Workflow,
};

/// Either the handler is to run, or the answer is known without it.
pub enum Opened<'s, S: TransactionalStore, R, E> {
    /// The key is ours: run the handler.
    Run(Run<'s, S>),
    /// It is not: this is the answer.
    Answer(Result<Outcome<R>, Error<E>>),
}

/// Claims the key of a delivery, or finds out what its caller is told.
///
/// **Cancel safety**: dropping the future gives a won claim back.
pub async fn open<'s, S, R, E>(
    store: &'s S,
    workflow: &'static Workflow,
    tenant: Option<&str>,
    key: Result<Key, KeyError>,
    fingerprint: Result<Fingerprint, KeyError>,
) -> Opened<'s, S, R, E>
where
    S: TransactionalStore,
    R: Replayable,
    E: Failure,
{
    let request = match (key, fingerprint) {
        (Ok(key), Ok(fingerprint)) => {
            let request = Request::new(workflow, key, fingerprint);
            Ok(match tenant {
                Some(tenant) => request.tenant(tenant),
                None => request,
            })
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    };
    open_request(store, workflow, request).await
}

/// The same for a request that is put together already.
///
/// **Cancel safety**: dropping the future gives a won claim back.
pub async fn open_request<'s, S, R, E>(
    store: &'s S,
    workflow: &'static Workflow,
    request: Result<Request, KeyError>,
) -> Opened<'s, S, R, E>
where
    S: TransactionalStore,
    R: Replayable,
    E: Failure,
{
    open_as(store, workflow, request, codec(value(), failure())).await
}

/// The same with a codec that was made before.
///
/// **Cancel safety**: dropping the future gives a won claim back.
pub(super) async fn open_as<'s, S, R, E>(
    store: &'s S,
    workflow: &'static Workflow,
    request: Result<Request, KeyError>,
    codec: Codec<R, E>,
) -> Opened<'s, S, R, E>
where
    S: TransactionalStore,
{
    let request = match request {
        Ok(request) => request,
        Err(error) => {
            observe::refused(workflow, &error);
            return Opened::Answer(Err(Error::Key(error)));
        }
    };
    remember(workflow);
    store.observe_request(&request);
    let claimed: Claiming<'s, S> = Box::pin(claim(store, request));
    match claimed.await {
        Ok(Begun::Run(run)) => Opened::Run(run),
        Ok(Begun::Told(request, told)) => Opened::Answer(answer(&request, told, codec)),
        Err(error) => Opened::Answer(Err(Error::Store(error))),
    }
}

/// A claim under way. Boxed, because the compiler would otherwise look through all of it in every
/// handler that awaits it: a quarter of what the attribute costs `cargo check`.
type Claiming<'s, S> = Pin<Box<dyn Future<Output = Result<Begun<'s, S>, StoreError>> + Send + 's>>;

/// A claim's answer, with the transaction begun where it was won.
pub(super) enum Begun<'s, S: TransactionalStore> {
    Run(Run<'s, S>),
    Told(Request, Told),
}

/// Claims, and waits for a busy key as long as the contract says.
async fn claim<S: TransactionalStore>(
    store: &S,
    request: Request,
) -> Result<Begun<'_, S>, StoreError> {
    let Busy::Wait(bound) = request.workflow().busy() else {
        return begin(store, request).await;
    };
    let until = Instant::now() + bound;
    let mut pause = Duration::from_millis(5);
    let mut request = request;
    loop {
        match begin(store, request).await? {
            Begun::Told(back, Told::Busy { retry_after }) => {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Ok(Begun::Told(back, Told::Busy { retry_after }));
                }
                request = back;
                tokio::time::sleep(pause.min(left)).await;
                pause = (pause * 2).min(Duration::from_millis(200));
            }
            other @ (Begun::Run(_) | Begun::Told(..)) => return Ok(other),
        }
    }
}

/// One claim, in the workflow's mode.
pub(super) async fn begin<S: TransactionalStore>(
    store: &S,
    request: Request,
) -> Result<Begun<'_, S>, StoreError> {
    let asked_at = Instant::now();
    let mut request = request;
    let claimed = match request.workflow().claim_mode() {
        Mode::Fused => store.claim_in(&request).await.inspect(|claimed| {
            if let Claimed::Won((_, claim)) = claimed {
                request.go_on(claim);
            }
        }),
        Mode::Leased => match claim_or_give_back(store, &request).await {
            // The claim is committed: what fails from here on is no reason to run without one.
            Ok(Claimed::Won(claim)) => {
                request.go_on(&claim);
                match begin_leased(store, &request, claim).await {
                    Ok(begun) => Ok(begun),
                    Err(error) => return refused(&request, error),
                }
            }
            Ok(Claimed::Told(told)) => Ok(Claimed::Told(told)),
            Err(error) => Err(error),
        },
    };
    match claimed {
        Ok(Claimed::Won((tx, claim))) => {
            observe::claimed(&request, &claim);
            Ok(Begun::Run(Run::new(store, request, claim, tx, asked_at)))
        }
        Ok(Claimed::Told(told)) => {
            observe::told(&request, &told);
            let is_for_a_person = match told {
                Told::Exhausted { .. } => true,
                // A probe is asked first.
                Told::Ambiguous { .. } => !request.workflow().asks_probes(),
                Told::Replay { .. }
                | Told::Busy { .. }
                | Told::Mismatch { .. }
                | Told::Unreadable(_) => false,
            };
            if is_for_a_person {
                note(store, &request).await;
            }
            Ok(Begun::Told(request, told))
        }
        Err(error) => unprotected(store, request, error).await,
    }
}

/// A leased claim. A caller that hangs up in the middle of it leaves no claim that nobody knows of.
async fn claim_or_give_back<S: TransactionalStore>(
    store: &S,
    request: &Request,
) -> Result<Claimed<Claim>, StoreError> {
    let (store, request) = (store.clone(), request.clone());
    let claiming = async move {
        let claimed = store.claim(&request).await;
        (claimed, store, request)
    };
    let (claimed, ..) = unbroken(claiming, |(claimed, store, mut request)| async move {
        if let Ok(Claimed::Won(claim)) = claimed {
            request.go_on(&claim);
            store.abandon(request, claim);
        }
    })
    .await;
    claimed
}

/// The transaction of a claim that is already committed. When there is none to be had, the claim
/// is given back rather than left to its lease.
async fn begin_leased<S: TransactionalStore>(
    store: &S,
    request: &Request,
    claim: Claim,
) -> Result<Claimed<(S::Tx, Claim)>, StoreError> {
    let returned = Returned {
        store,
        request,
        claim: Some(claim),
    };
    match store.begin(request, &claim).await? {
        Claimed::Won(tx) => {
            returned.keep();
            Ok(Claimed::Won((tx, claim)))
        }
        Claimed::Told(told) => {
            store.release(request, &claim).await?;
            returned.keep();
            Ok(Claimed::Told(told))
        }
    }
}

/// Gives a claim back unless it is kept.
struct Returned<'a, S: TransactionalStore> {
    store: &'a S,
    request: &'a Request,
    claim: Option<Claim>,
}

impl<S: TransactionalStore> Returned<'_, S> {
    fn keep(mut self) {
        self.claim = None;
    }
}

impl<S: TransactionalStore> Drop for Returned<'_, S> {
    fn drop(&mut self) {
        if let Some(claim) = self.claim.take() {
            self.store.abandon(self.request.clone(), claim);
        }
    }
}

/// The store could not be asked, and nothing runs.
fn refused<T>(request: &Request, error: StoreError) -> Result<T, StoreError> {
    observe::store_unavailable(request, &error);
    Err(error)
}

/// The store could not be asked: refuse, or run without protection where the contract says so.
async fn unprotected<S: TransactionalStore>(
    store: &S,
    request: Request,
    error: StoreError,
) -> Result<Begun<'_, S>, StoreError> {
    match request.workflow().outage() {
        Outage::Closed => refused(&request, error),
        Outage::Open => {
            let claim = Claim {
                attempt: 1,
                fence: Fence::FIRST,
                followed: None,
                previous: None,
            };
            let tx = match store.begin(&request, &claim).await? {
                Claimed::Won(tx) => tx,
                Claimed::Told(told) => return Ok(Begun::Told(request, told)),
            };
            observe::unprotected(&request, &error);
            Ok(Begun::Run(Run::unprotected(store, request, claim, tx)))
        }
    }
}

/// What the caller is told, in the handler's types.
pub(super) fn answer<R, E>(
    request: &Request,
    told: Told,
    codec: Codec<R, E>,
) -> Result<Outcome<R>, Error<E>> {
    match told {
        Told::Replay {
            result,
            attempt,
            fence,
        } => replay(request, result, attempt, fence, codec),
        Told::Busy { retry_after } => Ok(Outcome::Busy { retry_after }),
        Told::Mismatch { fields } => Ok(Outcome::Mismatch { fields }),
        Told::Exhausted { attempts } => Ok(Outcome::Exhausted { attempts }),
        Told::Ambiguous { reason } => Ok(Outcome::Ambiguous { reason }),
        Told::Unreadable(error) => Err(Error::Stored(error)),
    }
}

fn replay<R, E>(
    request: &Request,
    result: StoredResult,
    attempt: u32,
    fence: Fence,
    codec: Codec<R, E>,
) -> Result<Outcome<R>, Error<E>> {
    let completed_at = result.completed_at;
    let stored = |kind| Error::Stored(StoredError::new(request.key().as_str(), kind));
    if result.kind == ResultKind::Tombstone {
        return Ok(Outcome::Tombstone { completed_at });
    }
    let expected = request.workflow().result_version();
    if result.version != expected {
        return Err(stored(StoredErrorKind::OtherResultVersion {
            stored: result.version,
            expected,
        }));
    }
    if result.kind == ResultKind::Refusal {
        return Err(match (codec.decode_final)(&result.bytes) {
            Some(error) => Error::Refused {
                error,
                replayed: true,
                completed_at,
            },
            None => stored(StoredErrorKind::Undecodable {
                why: "they are no variant of the handler's error".to_owned(),
            }),
        });
    }
    match (codec.decode)(&result.bytes) {
        Ok(value) => Ok(Outcome::Replay(Answer::new(
            value,
            result.bytes,
            completed_at,
            attempt,
            fence,
        ))),
        Err(error) => Err(stored(StoredErrorKind::Undecodable {
            why: what_json_says(&error),
        })),
    }
}
