//! Key parts, failures and events of the user's own types.
#![deny(warnings, clippy::all)]

use idem::{MemoryStore, idempotent, memory::Tx};

use idem::{Event, Failure, FailureClass, KeyPart};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KeyPart)]
struct OrderRef<S> {
    shop: S,
    number: u64,
}

#[derive(Serialize, Deserialize, KeyPart)]
struct TenantId(String);

#[derive(Serialize, Deserialize, KeyPart, Clone, Copy)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Action {
    PartRefund,
    #[serde(rename = "void")]
    Void,
}

#[derive(Serialize, Deserialize, Event)]
struct Refund {
    tenant_id: TenantId,
    order: OrderRef<String>,
    action: Action,
    #[serde(default)]
    note: String,
}

#[derive(Debug, Failure, PartialEq)]
enum Failed<T> {
    #[failure(final)]
    NotPaid,
    #[failure(final)]
    Declined { code: u16, detail: T },
    #[failure(no_effect)]
    Down(String),
    #[failure(unknown)]
    Lost,
}

#[derive(Debug, Failure)]
#[failure(final)]
struct Refused {
    why: String,
}

#[idempotent(workflow = "refund", key = (event.tenant_id, event.order, event.action), lease = "30s", window = "30d", max_attempts = 5)]
async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<(), Failed<String>> {
    tx.put("note", event.note.as_str());
    match event.action {
        Action::PartRefund => Err(Failed::Declined { code: 51, detail: event.note.clone() }),
        Action::Void => Err(Failed::Down("later".to_owned())),
    }
}

async fn run() {
    let store = MemoryStore::new();
    let mut event = Refund {
        tenant_id: TenantId("acme".to_owned()),
        order: OrderRef { shop: "s:1".to_owned(), number: 7 },
        action: Action::PartRefund,
        note: "too late".to_owned(),
    };
    for expected in [false, true] {
        match refund(&store, &event).await {
            Err(idem::Error::Refused { error, replayed, .. }) => {
                assert_eq!(error, Failed::Declined { code: 51, detail: "too late".to_owned() });
                assert_eq!(replayed, expected);
            }
            other => panic!("{other:?}"),
        }
    }
    event.action = Action::Void;
    assert!(matches!(refund(&store, &event).await, Err(idem::Error::Failed(Failed::Down(_)))));
    assert_eq!(Failed::<String>::Lost.class(), FailureClass::Unknown);
    let bytes = Failed::<u8>::NotPaid.encode_final().expect("bytes");
    assert_eq!(Failed::<u8>::decode_final(&bytes), Some(Failed::NotPaid));
    let refused = Refused { why: "closed".to_owned() };
    let bytes = refused.encode_final().expect("bytes");
    assert_eq!(bytes, br#"{"variant":"Refused","fields":["closed"]}"#);
    assert_eq!(Refused::decode_final(&bytes).map(|refused| refused.why), Some("closed".to_owned()));
    assert!(Refused::decode_final(br#"{"variant":"Refused","fields":[]}"#).is_none());
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run());
}
