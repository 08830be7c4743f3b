//! The service as its callers meet it: real processes, real HTTP, real kills.

mod client;
mod database;
mod service;
mod webhooks;
