//! A clock in a field of the service.
#![allow(unused)]

use idem::{idempotent, memory::Tx};
use std::convert::Infallible;

struct Desk { time: Box<dyn Fn() -> u64 + Send + Sync>, clock: Clock }
struct Clock;
impl Clock { fn now(&self) -> u64 { 7 } }

impl Desk {
    #[idempotent(workflow = "ui", key = (id, self.clock.now(), (self.time)()), lease = "30s", window = "30d", max_attempts = 5)]
    pub async fn handle(&self, tx: &mut Tx<'_>, id: u64) -> Result<(), Infallible> {
        Ok(())
    }
}

fn main() {}
