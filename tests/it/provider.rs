//! A renewal that charges a card at a provider over HTTP and mails a receipt: what the provider saw
//! after answers that came late or never, and after kills at every point of an effect.

mod answers;
mod client;
mod handlers;
mod kills;
mod server;
