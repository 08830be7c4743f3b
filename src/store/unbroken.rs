//! Work that is half-done when its caller hangs up, and must not stay so.

use std::future::{Future, poll_fn};
use std::pin::Pin;

type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Does work that its caller's hanging up does not stop: once begun, what is left of it runs in
/// the background, where there is a runtime. What it comes to there is given to `orphaned`.
pub(crate) async fn unbroken<T: 'static, F>(
    work: impl Future<Output = T> + Send + 'static,
    orphaned: fn(T) -> F,
) -> T
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut begun = Begun {
        work: Some(Box::pin(work)),
        orphaned,
    };
    poll_fn(move |cx| {
        let Some(work) = &mut begun.work else {
            return std::task::Poll::Pending;
        };
        let done = work.as_mut().poll(cx);
        if done.is_ready() {
            begun.work = None;
        }
        done
    })
    .await
}

struct Begun<T: 'static, F: Future<Output = ()> + Send + 'static> {
    work: Option<Work<T>>,
    orphaned: fn(T) -> F,
}

impl<T: 'static, F: Future<Output = ()> + Send + 'static> Drop for Begun<T, F> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let orphaned = self.orphaned;
            runtime.spawn(async move {
                let orphan = orphaned(work.await);
                orphan.await;
            });
        }
    }
}
