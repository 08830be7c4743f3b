//! What idem computes, `const fn` accessors, constants, and the author's word.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, Outcome, idempotent, memory::Tx};
use std::convert::Infallible;

use std::sync::Arc;
use uuid::Uuid;

struct Invite {
    email: String,
    domain: Box<str>,
    link: String,
    kind: u8,
}

impl Invite {
    const fn kind(&self) -> u8 {
        self.kind
    }

    const fn link(&self) -> &str {
        self.link.as_str()
    }
}

const fn next(kind: u8) -> u8 {
    kind + 1
}

const fn kind_of(event: &Invite) -> u8 {
    event.kind
}

static RELEASE: &str = "r1";
const NAMESPACE: Uuid = Uuid::NAMESPACE_URL;

#[idempotent(
    workflow = "invite",
    key = (
        sha256(event.email),
        lower(event.domain),
        uuid_v5(NAMESPACE, event.link()),
        idem::key::sha256(lower(event.email)),
        event.kind(),
        kind_of(&event),
        next(event.kind),
        &event.link.as_str(),
        (event.email),
        "invite",
        RELEASE,
        -1,
        trust(format!("{a}-{b}"), reason = "the directory assigns both as one text"),
        trust(owner(&event), reason = "reads a field behind a lock that is never written"),
    ),
    hash = "none",
    lease = "30s", window = "30d", max_attempts = 5,
)]
async fn invite(tx: &mut Tx<'_>, event: Arc<Invite>, a: u64, b: u64) -> Result<u64, Infallible> {
    tx.put("invite", event.email.as_str());
    Ok(a + b)
}

fn owner(event: &Invite) -> u64 {
    u64::from(event.kind)
}

async fn run() {
    let store = MemoryStore::new();
    let event = Arc::new(Invite {
        email: "Ada@Example.org".to_owned(),
        domain: "Example.org".into(),
        link: "https://example.org".to_owned(),
        kind: 2,
    });
    assert!(matches!(invite(&store, Arc::clone(&event), 1, 2).await, Ok(Outcome::Fresh(_))));
    assert!(matches!(invite(&store, event, 1, 2).await, Ok(Outcome::Replay(_))));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
