//! Idempotency for handlers, webhooks, consumers and jobs.
