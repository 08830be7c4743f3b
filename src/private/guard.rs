//! Drives the handler's future: the owner's deadline, the heartbeat, panics.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::time::Sleep;

use crate::StoreError;
use crate::claim::Claim;
use crate::observe;
use crate::operation::{Halt, Ledger};
use crate::store::{Held, Request, Store};

/// What became of the handler's future.
pub struct Driven<T>(pub(super) End<T>);

pub(super) enum End<T> {
    /// It returned that.
    Finished(T),
    /// The claim was lost meanwhile, and the future dropped.
    Lost,
    /// It was stopped by its operation, which says why.
    Stopped,
    /// It panicked with that.
    Panicked(Box<dyn Any + Send>),
}

/// Until when an owner may commit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deadline {
    /// Its connection proves the claim: there is no lease to outlive.
    None,
    /// Until then, by the owner's own monotonic clock.
    At(Instant),
}

impl Deadline {
    pub(super) fn is_over(self) -> bool {
        match self {
            Self::None => false,
            Self::At(at) => Instant::now() >= at,
        }
    }
}

/// Watches over a claim while its handler runs.
pub struct Guard<'r, S: Store> {
    pub(super) store: &'r S,
    pub(super) request: &'r Request,
    pub(super) claim: Claim,
    pub(super) deadline: &'r mut Deadline,
    pub(super) heartbeat: bool,
    /// What the handler's operation says, where it has one.
    pub(super) ledger: Option<&'r Ledger>,
}

impl<S: Store> Guard<'_, S> {
    /// Polls the handler to its end, renewing the lease where the contract says so. When the lease
    /// is over or its renewal is refused, the handler's future is dropped.
    ///
    /// **Cancel safety**: dropping this drops the handler's future.
    pub async fn drive<F: Future>(self, handler: F) -> Driven<F::Output> {
        let Guard {
            store,
            request,
            claim,
            deadline,
            heartbeat,
            ledger,
        } = self;
        let begun = Instant::now();
        let _told = Told { request, begun };
        let mut handler = pin!(handler);
        if heartbeat {
            let mut pulse = Pulse::new(store, request, claim, deadline);
            return poll_fn(|cx| match poll_handler(handler.as_mut(), ledger, cx) {
                Poll::Ready(end) => Poll::Ready(Driven(end)),
                Poll::Pending => pulse.poll_lost(cx).map(|()| Driven(End::Lost)),
            })
            .await;
        }
        match *deadline {
            Deadline::None => {
                poll_fn(|cx| poll_handler(handler.as_mut(), ledger, cx).map(Driven)).await
            }
            Deadline::At(at) => {
                let mut over = pin!(tokio::time::sleep_until(at.into()));
                poll_fn(|cx| match poll_handler(handler.as_mut(), ledger, cx) {
                    Poll::Ready(end) => Poll::Ready(Driven(end)),
                    Poll::Pending => over.as_mut().poll(cx).map(|()| Driven(End::Lost)),
                })
                .await
            }
        }
    }
}

/// Tells how long a handler took, also when its caller hangs up.
struct Told<'r> {
    request: &'r Request,
    begun: Instant,
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        observe::handled(self.request, self.begun);
    }
}

fn poll_handler<F: Future>(
    handler: Pin<&mut F>,
    ledger: Option<&Ledger>,
    cx: &mut Context<'_>,
) -> Poll<End<F::Output>> {
    // The transaction that the handler may have left half-way is rolled back, never used again.
    let polled = catch_unwind(AssertUnwindSafe(|| handler.poll(cx)));
    // Whatever a handler does after its operation was stopped is no answer.
    let stopped = ledger.is_some_and(Ledger::is_stopped);
    match polled {
        Ok(_) if stopped => Poll::Ready(End::Stopped),
        Err(panic) if stopped && panic.is::<Halt>() => Poll::Ready(End::Stopped),
        Ok(Poll::Ready(output)) => Poll::Ready(End::Finished(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(panic) => Poll::Ready(End::Panicked(panic)),
    }
}

type Renewal<'p> = Pin<Box<dyn Future<Output = Result<Held, StoreError>> + Send + 'p>>;

/// The heartbeat of one claim: sleeps a third of the lease, renews, and so on.
struct Pulse<'p, S: Store> {
    store: &'p S,
    request: &'p Request,
    claim: Claim,
    deadline: &'p mut Deadline,
    next: Pin<Box<Sleep>>,
    over: Pin<Box<Sleep>>,
    renewal: Option<(Instant, Renewal<'p>)>,
}

impl<'p, S: Store> Pulse<'p, S> {
    fn new(store: &'p S, request: &'p Request, claim: Claim, deadline: &'p mut Deadline) -> Self {
        let lease = request.workflow().lease();
        let now = Instant::now();
        let end = match *deadline {
            Deadline::At(at) => at,
            Deadline::None => now + lease.own_deadline(),
        };
        Self {
            store,
            request,
            claim,
            deadline,
            next: Box::pin(tokio::time::sleep(lease.heartbeat())),
            over: Box::pin(tokio::time::sleep_until(end.into())),
            renewal: None,
        }
    }

    /// Ready when the claim is lost: a renewal was refused, or none succeeded before the deadline.
    fn poll_lost(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if let Some((asked_at, renewal)) = &mut self.renewal {
                let asked_at = *asked_at;
                let Poll::Ready(answer) = renewal.as_mut().poll(cx) else {
                    return self.over.as_mut().poll(cx);
                };
                self.renewal = None;
                if self.is_refused(asked_at, answer) {
                    return Poll::Ready(());
                }
            }
            if self.over.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            if self.next.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            let (store, request, claim) = (self.store, self.request, self.claim);
            self.renewal = Some((
                Instant::now(),
                Box::pin(async move { store.renew(request, &claim).await }),
            ));
        }
    }

    fn is_refused(&mut self, asked_at: Instant, answer: Result<Held, StoreError>) -> bool {
        let lease = self.request.workflow().lease();
        self.next
            .as_mut()
            .reset((Instant::now() + lease.heartbeat()).into());
        match answer {
            Ok(Held::Yes(())) => {
                let end = asked_at + lease.own_deadline();
                *self.deadline = Deadline::At(end);
                self.over.as_mut().reset(end.into());
                observe::renewed(self.request);
                false
            }
            Ok(Held::Lost) => {
                observe::renewal_refused(self.request);
                true
            }
            Err(error) => {
                observe::renewal_failed(self.request, &error);
                false
            }
        }
    }
}
