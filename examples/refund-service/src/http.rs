//! The edge: who may ask, and who is told what.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use idem::edge::axum::Respond;
use serde::Deserialize;
use serde_json::json;

use crate::books::Books;
use crate::refund::{Currency, Pace, Receipt, Refund, RefundError};

/// What the routes share.
#[derive(Clone, Debug)]
pub struct Service {
    /// Where refunds are written.
    pub books: Books,
    /// Who may ask: pairs of token and tenant.
    pub tokens: Arc<[(String, String)]>,
    /// How slow the desk is.
    pub pace: Pace,
}

/// The webhook's body. It has no tenant: what a caller may choose says nothing about who they are.
#[derive(Debug, Deserialize)]
struct Notice {
    refund_id: String,
    order_id: String,
    amount: i64,
    currency: Currency,
    reason: Option<String>,
}

impl Notice {
    fn into_event(self, tenant_id: String) -> Refund {
        Refund {
            tenant_id,
            refund_id: self.refund_id,
            order_id: self.order_id,
            amount: self.amount,
            currency: self.currency,
            reason: self.reason,
        }
    }
}

/// The routes.
pub fn routes(service: Service) -> Router {
    Router::new()
        .route("/webhooks/refunds", post(receive))
        .route("/refunds", get(list))
        .with_state(service)
}

/// A webhook. What `idem` makes of it is an answer already: 201 with the receipt, the same again
/// with `Idempotent-Replayed: true`, 409 while it is at work, 422 for another body, and so on.
async fn receive(State(service): State<Service>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(tenant) = service.tenant(&headers) else {
        return stranger();
    };
    let event = match serde_json::from_slice::<Notice>(&body) {
        Ok(notice) => notice.into_event(tenant),
        // 422 would say that the key was used with another body.
        Err(error) => return problem(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    service
        .books
        .refund(&event, service.pace)
        .await
        .into_response()
}

/// What is booked.
async fn list(State(service): State<Service>, headers: HeaderMap) -> Response {
    let Some(tenant) = service.tenant(&headers) else {
        return stranger();
    };
    match service.books.list(&tenant).await {
        Ok(refunds) => Json(json!({ "refunds": refunds })).into_response(),
        Err(_) => problem(
            StatusCode::SERVICE_UNAVAILABLE,
            "the books cannot be read now",
        ),
    }
}

impl Service {
    /// The tenant behind the request's token: the one thing in a key that must not come from the
    /// body, or one tenant could ask for another's receipts.
    fn tenant(&self, headers: &HeaderMap) -> Option<String> {
        let token = headers.get(AUTHORIZATION)?.to_str().ok()?;
        let token = token.strip_prefix("Bearer ")?;
        let known = self.tokens.iter().find(|(known, _)| known == token)?;
        Some(known.1.clone())
    }
}

impl Respond for Receipt {
    fn status(&self) -> StatusCode {
        StatusCode::CREATED
    }
}

impl IntoResponse for RefundError {
    fn into_response(self) -> Response {
        match self {
            Self::NothingToRefund => problem(
                StatusCode::UNPROCESSABLE_ENTITY,
                "the amount has to be more than nothing",
            ),
            Self::Store(_) => problem(
                StatusCode::SERVICE_UNAVAILABLE,
                "nothing was booked; ask again",
            ),
        }
    }
}

fn stranger() -> Response {
    problem(
        StatusCode::UNAUTHORIZED,
        "send `Authorization: Bearer <token>`",
    )
}

fn problem(status: StatusCode, detail: &str) -> Response {
    let body =
        json!({ "title": status.canonical_reason(), "status": status.as_u16(), "detail": detail });
    (
        status,
        [(CONTENT_TYPE, "application/problem+json")],
        body.to_string(),
    )
        .into_response()
}
