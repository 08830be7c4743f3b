//! Runs patterns mixed and alone, and keeps one number a round.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{Pattern, Plan, Subject};
use crate::Problem;
use crate::ratio::{Series, cpu_seconds, median};

/// What was measured at one number of clients.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Median latency in seconds, from runs in which the clients mix all patterns at random.
    pub(super) latency: BTreeMap<Pattern, Series>,
    /// Deliveries a second, from runs of one pattern alone.
    pub(super) rate: BTreeMap<Pattern, Series>,
    /// Seconds of this process's CPU a delivery, from the same runs.
    pub(super) cpu: BTreeMap<Pattern, Series>,
}

/// Hands out deliveries that nobody has served.
#[derive(Clone, Debug)]
pub(super) struct Numbers(Arc<AtomicU64>);

impl Numbers {
    /// The first number handed out.
    pub(super) fn from(first: u64) -> Self {
        Self(Arc::new(AtomicU64::new(first)))
    }

    /// The next one.
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// A small generator of pseudo-random numbers (xorshift), so that the mix is the same on every run.
#[derive(Clone, Debug)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Measures every pattern with `clients` at once.
pub(super) async fn measure<S: Subject>(
    subject: &S,
    numbers: &Numbers,
    clients: usize,
    plan: Plan,
) -> Result<Measured, Problem> {
    let mut measured = Measured::default();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    // Connections, prepared statements and caches are warm before the first round.
    mixed(subject, numbers, clients, plan.mixed / 5, &mut dice).await?;
    for _ in 0..plan.rounds {
        for (pattern, latencies) in mixed(subject, numbers, clients, plan.mixed, &mut dice).await? {
            measured
                .latency
                .entry(pattern)
                .or_default()
                .push(median(latencies));
        }
        let mut order = Pattern::ALL;
        for at in (1..order.len()).rev() {
            let other = usize::try_from(dice.roll(u64::try_from(at)? + 1))?;
            order.swap(at, other);
        }
        for pattern in order {
            let (rate, cpu) =
                alone(subject, numbers, pattern, clients, plan.slice, &mut dice).await?;
            measured.rate.entry(pattern).or_default().push(rate);
            measured.cpu.entry(pattern).or_default().push(cpu);
        }
    }
    Ok(measured)
}

type Latencies = BTreeMap<Pattern, Vec<f64>>;

async fn mixed<S: Subject>(
    subject: &S,
    numbers: &Numbers,
    clients: usize,
    lasting: Duration,
    dice: &mut Dice,
) -> Result<Latencies, Problem> {
    let begun = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..clients {
        let (subject, numbers) = (subject.clone(), numbers.clone());
        let mut dice = Dice(dice.roll(u64::MAX - 1) + 1);
        tasks.spawn(async move {
            let mut latencies = Latencies::new();
            while begun.elapsed() < lasting {
                let at = usize::try_from(dice.roll(u64::try_from(Pattern::ALL.len())?))?;
                let pattern = Pattern::ALL[at];
                let number = number(pattern, &numbers, &mut dice);
                let started = Instant::now();
                subject.serve(pattern, number).await?;
                latencies
                    .entry(pattern)
                    .or_default()
                    .push(started.elapsed().as_secs_f64());
            }
            Ok::<_, Problem>(latencies)
        });
    }
    let mut all = Latencies::new();
    while let Some(client) = tasks.join_next().await {
        for (pattern, more) in client?? {
            all.entry(pattern).or_default().extend(more);
        }
    }
    Ok(all)
}

/// Deliveries a second, and CPU seconds a delivery.
async fn alone<S: Subject>(
    subject: &S,
    numbers: &Numbers,
    pattern: Pattern,
    clients: usize,
    lasting: Duration,
    dice: &mut Dice,
) -> Result<(f64, f64), Problem> {
    let busy = cpu_seconds(11)?;
    let begun = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..clients {
        let (subject, numbers) = (subject.clone(), numbers.clone());
        let mut dice = Dice(dice.roll(u64::MAX - 1) + 1);
        tasks.spawn(async move {
            let mut served = 0_u32;
            while begun.elapsed() < lasting {
                let number = number(pattern, &numbers, &mut dice);
                subject.serve(pattern, number).await?;
                served += 1;
            }
            Ok::<_, Problem>(served)
        });
    }
    let mut served = 0_u32;
    while let Some(client) = tasks.join_next().await {
        served += client??;
    }
    let count = f64::from(served.max(1));
    let took = begun.elapsed().as_secs_f64();
    Ok((count / took, (cpu_seconds(11)? - busy) / count))
}

fn number(pattern: Pattern, numbers: &Numbers, dice: &mut Dice) -> u64 {
    if pattern.repeats() {
        dice.roll(super::FINISHED)
    } else {
        numbers.next()
    }
}
