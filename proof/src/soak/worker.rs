//! The worker's process: a line in is a delivery, a line out is what its caller was told.

use std::io::Write as _;

use idem::PostgresStore;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use super::Problem;
use super::delivery::Delivery;
use super::handlers::{Twin, handle};

/// Works until its input ends.
pub(super) async fn run(store: PostgresStore, twin: Option<Twin>) -> Result<(), Problem> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut at_work = tokio::task::JoinSet::new();
    while let Some(line) = lines.next_line().await? {
        let delivery = Delivery::read(&line).ok_or("the driver sent no delivery")?;
        let store = store.clone();
        at_work.spawn(async move {
            let told = handle(&store, delivery, twin).await;
            // One write for one line: a kill leaves it whole, or away.
            let line = format!("{} {told}\n", delivery.number);
            std::io::stdout().write_all(line.as_bytes())
        });
        while let Some(done) = at_work.try_join_next() {
            done??;
        }
    }
    while let Some(done) = at_work.join_next().await {
        done??;
    }
    Ok(())
}
