//! A crate without the prelude, and names of the prelude that mean something else.
#![deny(warnings)]

#![no_implicit_prelude]
#![allow(dead_code)]

struct Result;
struct Option;
struct Ok;
struct Err;
struct Some;
struct None;
struct Send;
struct String;
struct Vec;

#[derive(::serde::Serialize)]
struct Event {
    id: u64,
}

#[derive(::idem::KeyPart)]
struct Id(u64);

#[derive(::idem::KeyPart)]
enum Action {
    PartlyPaid,
}

#[derive(Debug, ::idem::Failure)]
enum Failed {
    #[failure(final)]
    NotPaid(u64, bool),
    #[failure(no_effect)]
    Down,
    #[failure(transparent)]
    Store(::std::fmt::Error),
}

#[::idem::idempotent(workflow = "bare", key = (event.id, "bare"), lease = "30s", window = "30d", max_attempts = 5)]
async fn handle(tx: &mut ::idem::memory::Tx<'_>, event: &Event) -> ::core::result::Result<u64, Failed> {
    tx.put("event", [event.id as u8]);
    match event.id {
        0 => ::core::result::Result::Err(Failed::NotPaid(7, true)),
        id => ::core::result::Result::Ok(id),
    }
}

fn main() {
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ::core::result::Result::Ok(runtime) = runtime else {
        ::core::panic!("a runtime");
    };
    runtime.block_on(async {
        let store = ::idem::MemoryStore::new();
        let answer = handle(&store, &Event { id: 3 }).await;
        ::core::assert!(::core::matches!(answer, ::core::result::Result::Ok(::idem::Outcome::Fresh(_))));
        for expected in [false, true] {
            let refused = handle(&store, &Event { id: 0 }).await;
            ::core::assert!(::core::matches!(
                refused,
                ::core::result::Result::Err(::idem::Error::Refused {
                    error: Failed::NotPaid(7, true),
                    replayed,
                    ..
                }) if replayed == expected
            ));
        }
    });
}
