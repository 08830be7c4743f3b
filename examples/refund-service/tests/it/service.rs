//! The service as a process of its own.

use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::client::{Reply, send};
use crate::database::Database;

/// A running service. Dropping it kills it.
pub(crate) struct Service {
    process: Child,
    said: BufReader<ChildStdout>,
    pub(crate) address: String,
}

impl Service {
    /// Starts one on that database; it answers when this returns.
    pub(crate) fn start(database: &Database) -> Self {
        Self::pausing(database, 0)
    }

    /// The same, standing still in the middle of each refund.
    pub(crate) fn pausing(database: &Database, millis: u32) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_refund-service"))
            .env("DATABASE_URL", &database.url)
            .env("REFUND_ADDR", "127.0.0.1:0")
            .env("REFUND_PAUSE_MS", millis.to_string())
            .env_remove("REFUND_TOKENS")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service's binary");
        let mut said = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .unwrap_or_else(|| panic!("the service says {line:?}"))
            .to_owned();
        Self {
            process,
            said,
            address,
        }
    }

    /// Waits until a refund is half-way.
    pub(crate) fn half_way(&mut self) {
        let mut line = String::new();
        self.said.read_line(&mut line).expect("a line");
        assert!(line.starts_with("half-way through r_1"), "{line:?}");
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it is dead");
    }

    pub(crate) fn refund(&self, body: &Value) -> Reply {
        refund(&self.address, body).expect("an answer")
    }

    /// What is booked for the tenant behind that token.
    pub(crate) fn booked(&self, token: &str) -> Value {
        let reply = send(&self.address, "GET", "/refunds", Some(token), "").expect("an answer");
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()["refunds"].clone()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Delivers the webhook as tenant acme.
pub(crate) fn refund(address: &str, body: &Value) -> io::Result<Reply> {
    let body = body.to_string();
    send(
        address,
        "POST",
        "/webhooks/refunds",
        Some("acme-token"),
        &body,
    )
}

/// The webhook of a refund of 12.50.
pub(crate) fn webhook() -> Value {
    json!({ "refund_id": "r_1", "order_id": "o_1", "amount": 1250, "currency": "EUR" })
}

/// The one refund that there should be, as `GET /refunds` lists it.
pub(crate) fn one_refund() -> Value {
    json!([{ "refund_id": "r_1", "order_id": "o_1", "amount": 1250, "currency": "EUR", "postings": 2 }])
}
