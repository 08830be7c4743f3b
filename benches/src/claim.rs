//! Claim, handler and commit through the macro, beside hand-written code with the same SQL on the same
//! driver, and beside what any write costs.

mod measure;
mod postgres;
mod refund;
mod sqlite;
mod table;

use std::time::Duration;

use crate::Problem;

/// One way to serve a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pattern {
    /// The business write alone, committed by itself.
    BareWrite,
    /// The business write between `begin` and `commit`.
    BeginWriteCommit,
    /// The claim in a commit of its own; then write and completion.
    TwoCommits,
    /// Claim, write and completion in one transaction, written by hand.
    ByHand,
    /// The same through `#[idempotent]`.
    ThroughMacro,
    /// A repetition of a finished delivery, written by hand.
    ReplayByHand,
    /// The same through `#[idempotent]`.
    ReplayThroughMacro,
    /// One row by its primary key.
    KeySelect,
}

impl Pattern {
    /// Every pattern, in the order of the report.
    pub(crate) const ALL: [Self; 8] = [
        Self::BareWrite,
        Self::BeginWriteCommit,
        Self::TwoCommits,
        Self::ByHand,
        Self::ThroughMacro,
        Self::ReplayByHand,
        Self::ReplayThroughMacro,
        Self::KeySelect,
    ];

    /// Whether it serves a delivery that is finished already.
    pub(crate) const fn repeats(self) -> bool {
        matches!(
            self,
            Self::ReplayByHand | Self::ReplayThroughMacro | Self::KeySelect
        )
    }

    /// How the report calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BareWrite => "bare write",
            Self::BeginWriteCommit => "begin, write, commit",
            Self::TwoCommits => "two commits",
            Self::ByHand => "claim, write, done: by hand",
            Self::ThroughMacro => "claim, write, done: #[idempotent]",
            Self::ReplayByHand => "replay: by hand",
            Self::ReplayThroughMacro => "replay: #[idempotent]",
            Self::KeySelect => "select by primary key",
        }
    }
}

/// A store under measurement: runs one pattern once.
pub(crate) trait Subject: Clone + Send + Sync + 'static {
    /// Serves delivery `number`. Patterns that repeat a delivery take one of the first
    /// [`FINISHED`], which are done already.
    fn serve(
        &self,
        pattern: Pattern,
        number: u64,
    ) -> impl Future<Output = Result<(), Problem>> + Send;
}

/// Deliveries finished before measuring, for replays to choose from.
pub(crate) const FINISHED: u64 = 1_000;

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Rounds; the report takes the median of their ratios.
    pub(crate) rounds: usize,
    /// Of the mixed run of a round.
    pub(crate) mixed: Duration,
    /// Of one pattern alone.
    pub(crate) slice: Duration,
}

/// Measures SQLite, and Postgres where a server is named.
pub(crate) fn run(words: &[&str]) -> Result<(), Problem> {
    let mut plan = Plan {
        rounds: 5,
        mixed: Duration::from_millis(2_500),
        slice: Duration::from_millis(700),
    };
    for word in words {
        match *word {
            "--quick" => {
                plan.rounds = 3;
                plan.mixed = Duration::from_millis(500);
                plan.slice = Duration::from_millis(200);
            }
            other => return Err(format!("{other} is no option; there is --quick").into()),
        }
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        sqlite::measure(plan).await?;
        match std::env::var("IDEM_TEST_POSTGRES_URL") {
            Ok(url) => postgres::measure(plan, &url).await,
            Err(_) => {
                println!("not measured: Postgres (IDEM_TEST_POSTGRES_URL is not set)");
                Ok(())
            }
        }
    })
}
