//! A caller may hang up at any point at which it waits, and not only in the handler. Whatever the
//! point, the operation is not stuck, no attempt is lost, and an unknown end stays known.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use idem::{Error, Mode, Outcome};

use super::harness::{Harness, against_every_store};
use super::script::*;

against_every_store! {
    hanging_up_at_any_point_neither_sticks_nor_costs_an_attempt,
    hanging_up_never_turns_an_unknown_end_into_a_rerun,
}

/// More points than any call has; the last ones are past its end.
pub(super) const POINTS: usize = 40;

/// Polls a call so many times at most, and drops it. What it was told, where it got that far.
pub(super) async fn hang_up_after<F: Future>(points: usize, call: F) -> Option<F::Output> {
    let mut call = pin!(call);
    let mut left = points;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match call.as_mut().poll(cx) {
            Poll::Ready(told) => Poll::Ready(Some(told)),
            // The next poll is the next wake, but a call that has none left is hung up on too.
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Delivers while the key is busy, for far less than a lease.
pub(super) async fn soon<H: Harness>(store: &H::Store, delivery: &Delivery) -> Told {
    let start = Instant::now();
    loop {
        let told = call::<H>(store, delivery).await;
        if !is_busy(&told) || start.elapsed() > Duration::from_secs(10) {
            return told;
        }
        tokio::task::yield_now().await;
    }
}

async fn hanging_up_at_any_point_neither_sticks_nor_costs_an_attempt<H: Harness>(h: &H) {
    for mode in MODES {
        let flow = workflow(mode, |w| w.max_attempts(1));
        for points in 1..=POINTS {
            let id: &'static str = format!("{mode:?}-{points}").leak();
            let one = delivery(flow, id);
            let before = h.effects().await;
            let first = hang_up_after(points, call::<H>(h.store(), &one)).await;
            let told = soon::<H>(h.store(), &one).await;
            match &told {
                Ok(Outcome::Fresh(answer)) => assert_eq!(answer.attempt(), 1, "{id}"),
                Ok(Outcome::Replay(_)) => {}
                _ => panic!("{id}: {told:?}"),
            }
            assert!(is_replay(&soon::<H>(h.store(), &one).await), "{id}");
            assert_eq!(h.effects().await, before + 1, "{id}");
            if first.is_some() {
                break;
            }
            assert!(points < POINTS, "{mode:?}: the call never ends");
        }
    }
}

async fn hanging_up_never_turns_an_unknown_end_into_a_rerun<H: Harness>(h: &H) {
    for mode in MODES {
        let flow = workflow(mode, |w| w);
        for points in 1..=POINTS {
            let id: &'static str = format!("{mode:?}-{points}").leak();
            let runs = Arc::new(AtomicU32::new(0));
            let one = delivery(flow, id)
                .only([Step::Count(Arc::clone(&runs)), Step::Fail(Oops::WhoKnows)]);
            let first = hang_up_after(points, call::<H>(h.store(), &one)).await;
            let told = soon::<H>(h.store(), &one).await;
            assert!(
                matches!(
                    told,
                    Ok(Outcome::Ambiguous { .. }) | Err(Error::Unknown(Oops::WhoKnows))
                ),
                "{id}: {told:?}"
            );
            // A fused claim ends with its transaction, before its end is recorded: whoever asks in
            // between runs, and everything of the first run is proved undone.
            let most = if mode == Mode::Fused { 2 } else { 1 };
            assert!((1..=most).contains(&runs.load(Ordering::SeqCst)), "{id}");
            if first.is_some() {
                break;
            }
            assert!(points < POINTS, "{mode:?}: the call never ends");
        }
    }
}
