//! Answers over HTTP: a wrapped handler's result is a response.
//!
//! ```
//! use axum::http::StatusCode;
//! use axum::response::{IntoResponse, Response};
//! use idem::edge::axum::Respond;
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Receipt {
//!     refund_id: String,
//! }
//!
//! impl Respond for Receipt {
//!     fn status(&self) -> StatusCode {
//!         StatusCode::CREATED
//!     }
//! }
//!
//! # struct RefundError;
//! impl IntoResponse for RefundError {
//!     fn into_response(self) -> Response {
//!         StatusCode::CONFLICT.into_response()
//!     }
//! }
//!
//! /// An axum handler may return what the wrapped handler returned.
//! fn answer(result: Result<idem::Outcome<Receipt>, idem::Error<RefundError>>) -> Response {
//!     result.into_response()
//! }
//! # let _ = answer(Err(idem::Error::Fenced));
//! ```
//!
//! Values of the request never appear in a problem's body, and the store's errors are for the log.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::{Verdict, retry_after_seconds};
use crate::{Error, Outcome};

/// `Idempotent-Replayed: true` on an answer that an earlier attempt was given first.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// `Idempotent-Stale: true` on an event that is older than what was already applied.
pub const STALE: HeaderName = HeaderName::from_static("idempotent-stale");

/// How a handler's stored result answers a request. Everything comes from the stored value, so a
/// replay has the status, the headers and the body that the first answer had.
pub trait Respond {
    /// The status.
    fn status(&self) -> StatusCode {
        StatusCode::OK
    }

    /// Headers beside `Content-Type`: those that a replay may repeat. Dates, cookies and anything
    /// that belongs to one connection do not.
    fn headers(&self) -> HeaderMap {
        HeaderMap::new()
    }
}

impl Respond for () {
    fn status(&self) -> StatusCode {
        StatusCode::NO_CONTENT
    }
}

impl Respond for Value {}

impl<R: Respond> IntoResponse for Outcome<R> {
    fn into_response(self) -> Response {
        let verdict = Verdict::of_outcome(&self);
        match self {
            Self::Fresh(answer) | Self::Replay(answer) => {
                let status = answer.value.status();
                let mut headers = answer.value.headers();
                let body = if status == StatusCode::NO_CONTENT {
                    Body::empty()
                } else {
                    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                    Body::from(answer.bytes().to_vec())
                };
                marked(verdict, (status, headers, body).into_response())
            }
            Self::Tombstone { .. } => marked(verdict, status_of(verdict).into_response()),
            Self::Stale => {
                let headers = [
                    (STALE, HeaderValue::from_static("true")),
                    (CONTENT_TYPE, HeaderValue::from_static("application/json")),
                ];
                (headers, r#"{"stale":true}"#).into_response()
            }
            Self::Mismatch { fields } => {
                let detail = "a request under this key had other values in the fields named; send a new key for a new operation";
                problem(verdict, detail, [("fields", json!(fields))])
            }
            Self::Busy { .. } => problem(
                verdict,
                "another attempt is at work; ask again after the time given",
                [],
            ),
            Self::Exhausted { attempts } => problem(
                verdict,
                "no further attempt is made until a person allows one",
                [("attempts", json!(attempts))],
            ),
            Self::Ambiguous { .. } => ambiguous(),
        }
    }
}

impl<E: IntoResponse> IntoResponse for Error<E> {
    fn into_response(self) -> Response {
        let verdict = Verdict::of_error(&self);
        match self {
            Self::Failed(error) | Self::Refused { error, .. } => {
                marked(verdict, error.into_response())
            }
            // The error's own answer might ask for a retry, and the next one would be told this.
            Self::Unknown(_) => ambiguous(),
            // What is wrong with the key is the caller's to know, and holds no value of theirs.
            Self::Key(error) => problem(verdict, &error.to_string(), []),
            Self::Fenced => problem(
                verdict,
                "another attempt may be at work; ask again after the time given",
                [],
            ),
            Self::Unanswered { .. } => problem(
                verdict,
                "nothing is done twice; ask again after the time given",
                [],
            ),
            Self::Store(_) => problem(
                verdict,
                "nothing is done without bookkeeping; ask again after the time given",
                [],
            ),
            Self::Stored(_) => problem(
                verdict,
                "nothing is done while the record of this key cannot be read",
                [],
            ),
        }
    }
}

fn ambiguous() -> Response {
    problem(
        Verdict::Ambiguous,
        "an earlier attempt ended while an effect was under way; nothing is repeated until a person has looked",
        [],
    )
}

fn status_of(verdict: Verdict) -> StatusCode {
    verdict
        .status()
        .and_then(|status| StatusCode::from_u16(status).ok())
        .unwrap_or(StatusCode::OK)
}

fn marked(verdict: Verdict, mut response: Response) -> Response {
    if verdict.is_replay() {
        response
            .headers_mut()
            .insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn problem<const N: usize>(verdict: Verdict, detail: &str, more: [(&str, Value); N]) -> Response {
    let status = status_of(verdict);
    let mut body = Map::new();
    if let Some(problem) = verdict.problem() {
        body.insert("type".to_owned(), json!(problem.uri));
        body.insert("title".to_owned(), json!(problem.title));
    }
    body.insert("status".to_owned(), json!(status.as_u16()));
    body.insert("detail".to_owned(), json!(detail));
    for (name, value) in more {
        body.insert(name.to_owned(), value);
    }
    let mut response = (status, Value::Object(body).to_string()).into_response();
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    );
    if let Some(left) = verdict.retry_after() {
        headers.insert(RETRY_AFTER, HeaderValue::from(retry_after_seconds(left)));
    }
    response
}

#[cfg(test)]
mod tests;
