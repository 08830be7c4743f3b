use std::time::{Duration, SystemTime};

use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use serde_json::Value;

use super::*;
use crate::key::KeyBuilder;
use crate::{Answer, Fence, StoreError, StoreErrorKind, StoredError, StoredErrorKind};

#[derive(Debug)]
struct Receipt(&'static str);

impl Respond for Receipt {
    fn status(&self) -> StatusCode {
        StatusCode::CREATED
    }
    fn headers(&self) -> HeaderMap {
        HeaderMap::from_iter([(LOCATION, HeaderValue::from_static(self.0))])
    }
}

#[derive(Debug)]
struct NotPaid;

impl IntoResponse for NotPaid {
    fn into_response(self) -> Response {
        (StatusCode::CONFLICT, "the order was never paid").into_response()
    }
}

type Answered = Result<Outcome<Receipt>, Error<NotPaid>>;

fn receipt() -> Answer<Receipt> {
    let bytes = br#"{"refund":  "r_1"}"#.to_vec();
    Answer::new(
        Receipt("/refunds/r_1"),
        bytes,
        SystemTime::UNIX_EPOCH,
        1,
        Fence::FIRST,
    )
}

struct Seen {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Seen {
    fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
    fn problem(&self) -> Value {
        assert_eq!(self.header(CONTENT_TYPE), Some("application/problem+json"));
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        assert_eq!(body["status"], self.status, "{}", self.body);
        assert!(
            body["title"].is_string() && body["detail"].is_string(),
            "{}",
            self.body
        );
        body
    }
}

fn answer(result: Answered) -> Seen {
    let response = result.into_response();
    let (parts, body) = response.into_parts();
    let bytes = tokio::runtime::Builder::new_current_thread()
        .build()
        .ok()
        .and_then(|runtime| runtime.block_on(to_bytes(body, usize::MAX)).ok());
    Seen {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: String::from_utf8(bytes.unwrap_or_default().to_vec()).unwrap_or_default(),
    }
}

#[test]
fn a_fresh_result_is_answered_with_its_stored_bytes() {
    let seen = answer(Ok(Outcome::Fresh(receipt())));
    assert_eq!(
        (seen.status, seen.body.as_str()),
        (201, r#"{"refund":  "r_1"}"#)
    );
    assert_eq!(seen.header(LOCATION), Some("/refunds/r_1"));
    assert_eq!(seen.header(REPLAYED), None);
}

#[test]
fn a_replay_differs_from_the_first_answer_by_its_mark_alone() {
    let first = answer(Ok(Outcome::Fresh(receipt())));
    let mut replay = answer(Ok(Outcome::Replay(receipt())));
    assert_eq!(replay.header(REPLAYED), Some("true"));
    replay.headers.remove(REPLAYED);
    assert_eq!(
        (replay.status, replay.body, replay.headers),
        (first.status, first.body, first.headers)
    );
}

#[test]
fn a_result_that_was_not_kept_is_an_empty_success_and_marked() {
    let seen = answer(Ok(Outcome::Tombstone {
        completed_at: SystemTime::UNIX_EPOCH,
    }));
    assert_eq!(
        (seen.status, seen.header(REPLAYED), seen.body.as_str()),
        (204, Some("true"), "")
    );
}

#[test]
fn a_busy_caller_is_told_when_to_come_back() {
    let busy = |millis| {
        answer(Ok(Outcome::Busy {
            retry_after: Duration::from_millis(millis),
        }))
    };
    let seen = busy(1_200);
    assert_eq!((seen.status, seen.header(RETRY_AFTER)), (409, Some("2")));
    assert_eq!(seen.problem()["type"], "tag:idem-rs,2026:problems/busy");
    assert_eq!(busy(0).header(RETRY_AFTER), Some("1"));
    assert_eq!(busy(3_000).header(RETRY_AFTER), Some("3"));
}

#[test]
fn another_body_under_a_used_key_names_the_fields() {
    let seen = answer(Ok(Outcome::Mismatch {
        fields: vec!["amount".to_owned()],
    }));
    assert_eq!((seen.status, seen.header(RETRY_AFTER)), (422, None));
    assert_eq!(seen.problem()["fields"][0], "amount");
}

#[test]
fn a_case_for_a_person_invites_no_retry() {
    let table = [
        (
            answer(Ok(Outcome::Exhausted { attempts: 5 })),
            "tag:idem-rs,2026:problems/exhausted",
        ),
        (
            answer(Ok(Outcome::Ambiguous {
                reason: "secret".to_owned(),
            })),
            "tag:idem-rs,2026:problems/ambiguous",
        ),
        (
            answer(Err(Error::Unknown(NotPaid))),
            "tag:idem-rs,2026:problems/ambiguous",
        ),
    ];
    for (seen, kind) in table {
        assert_eq!((seen.status, seen.header(RETRY_AFTER)), (409, None));
        assert_eq!(seen.problem()["type"], kind);
        assert!(!seen.body.contains("secret"), "{}", seen.body);
    }
}

#[test]
fn a_stale_event_is_a_success_that_says_so() {
    let seen = answer(Ok(Outcome::Stale));
    assert_eq!(
        (seen.status, seen.header(STALE), seen.body.as_str()),
        (200, Some("true"), r#"{"stale":true}"#)
    );
}

#[test]
fn a_request_without_an_identity_is_the_callers_mistake() {
    let mut key = KeyBuilder::new("refund-order", 1);
    key.add("");
    let Err(error) = key.finish() else {
        panic!("an empty part made a key");
    };
    let seen = answer(Err(Error::Key(error)));
    assert_eq!(seen.status, 400);
    assert_eq!(
        seen.problem()["detail"],
        "making a key of `refund-order`: part 1 is empty; unrelated events would share the key, so send the identifier"
    );
}

#[test]
fn without_bookkeeping_the_caller_comes_back_and_learns_nothing_of_the_store() {
    let store = StoreError::new(StoreErrorKind::Connection, "claiming on db.internal");
    for seen in [answer(Err(Error::Store(store))), answer(Err(Error::Fenced))] {
        assert_eq!((seen.status, seen.header(RETRY_AFTER)), (503, Some("5")));
        assert!(!seen.problem().to_string().contains("internal"));
    }
    let seen = answer(Err(Error::Stored(StoredError::new(
        "k",
        StoredErrorKind::MissingResult,
    ))));
    assert_eq!((seen.status, seen.header(RETRY_AFTER)), (500, None));
    assert_eq!(
        seen.problem()["type"],
        "tag:idem-rs,2026:problems/unreadable"
    );
}

#[test]
fn a_handlers_error_answers_for_itself_and_a_replayed_refusal_says_so() {
    let refused = |replayed| {
        answer(Err(Error::Refused {
            error: NotPaid,
            replayed,
            completed_at: SystemTime::UNIX_EPOCH,
        }))
    };
    for (seen, mark) in [
        (answer(Err(Error::Failed(NotPaid))), None),
        (refused(false), None),
        (refused(true), Some("true")),
    ] {
        assert_eq!((seen.status, seen.header(REPLAYED)), (409, mark));
        assert_eq!(seen.body, "the order was never paid");
    }
}
