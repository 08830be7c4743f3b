//! Telling somebody, once a case.

use std::error::Error as StdError;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

use super::Letter;
use crate::observe;

/// Is told about each case for a person, once, when its dead letter was written: pages somebody, opens
/// a ticket, posts to a channel.
///
/// It is called in the middle of a delivery. It should hand the letter on and return: to a task, a
/// queue, another thread. What it returns or panics with is logged and changes nothing else.
/// A process that dies between writing the letter and this call tells nobody; the letter is there.
///
/// ```
/// use idem::desk::{DeadLetter, Letter};
///
/// struct Pager(std::sync::mpsc::Sender<String>);
///
/// impl DeadLetter for Pager {
///     fn tell(&self, letter: &Letter) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
///         self.0.send(format!("{}: {}", letter.key, letter.known))?;
///         Ok(())
///     }
/// }
///
/// let (pager, _pages) = std::sync::mpsc::channel();
/// let store = idem::MemoryStore::new().dead_letters_to(std::sync::Arc::new(Pager(pager)));
/// # drop(store);
/// ```
pub trait DeadLetter: Send + Sync {
    /// A case has become known.
    ///
    /// **Errors**: whatever kept it from being told; it is logged.
    fn tell(&self, letter: &Letter) -> Result<(), Box<dyn StdError + Send + Sync>>;
}

/// The hooks of one store.
#[derive(Clone, Default)]
pub struct Hooks(Vec<Arc<dyn DeadLetter>>);

impl Hooks {
    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// These, and that one.
    #[must_use]
    pub fn with(mut self, hook: Arc<dyn DeadLetter>) -> Self {
        self.0.push(hook);
        self
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hooks").field(&self.0.len()).finish()
    }
}

static GLOBAL: RwLock<Hooks> = RwLock::new(Hooks::none());

/// Tells that hook about the cases of every store of this process, for as long as it lives.
pub fn on_dead_letter(hook: Arc<dyn DeadLetter>) {
    let mut global = GLOBAL.write().unwrap_or_else(PoisonError::into_inner);
    global.0.push(hook);
}

/// Tells the log and the hooks about a letter that was written just now.
pub(crate) fn announce(hooks: &Hooks, letter: &Letter) {
    observe::dead_letter(letter);
    let global = GLOBAL
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    for hook in hooks.0.iter().chain(&global.0) {
        match catch_unwind(AssertUnwindSafe(|| hook.tell(letter))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => observe::hook_failed(letter, &*error),
            Err(_panic) => observe::hook_panicked(letter),
        }
    }
}
