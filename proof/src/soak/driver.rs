//! The driver: delivers, kills, stops, sweeps, and keeps the list of what was delivered.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use idem::{PostgresStore, Store as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::audit::Known;
use super::delivery::{Delivery, Flow, Told};
use super::handlers::Twin;
use super::process::{Heard, Process};
use super::random::Random;
use super::{BRIEF_MS, Figures, Options, Place, Problem};

/// Processes at once: more than the cores of a small machine, so that they get in each other's way.
const PROCESSES: usize = 4;

/// Longer than the lease of the leased workflows, which is a second.
const PAUSE_MS: (u64, u64) = (1_200, 2_200);

/// How long the soak waits for an answer at the end: longer than any lease and pause.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Driver<'d> {
    options: &'d Options,
    place: &'d Place,
    store: PostgresStore,
    random: Random,
    processes: Vec<Process>,
    births: u64,
    ears: (UnboundedSender<Heard>, UnboundedReceiver<Heard>),
    ready: VecDeque<Delivery>,
    /// Deliveries that come later, by when and number.
    later: BTreeMap<(Instant, u64), Delivery>,
    deliveries: u64,
    /// Answers still owed, by operation.
    owed: HashMap<i64, u32>,
    told: HashMap<i64, i64>,
    two_results: u64,
    operations: u64,
    long: u64,
    figures: Figures,
}

impl<'d> Driver<'d> {
    pub(super) fn new(options: &'d Options, place: &'d Place, store: PostgresStore) -> Self {
        Self {
            options,
            place,
            store,
            random: Random::new(options.seed),
            processes: Vec::new(),
            births: 0,
            ears: unbounded_channel(),
            ready: VecDeque::new(),
            later: BTreeMap::new(),
            deliveries: 0,
            owed: HashMap::new(),
            told: HashMap::new(),
            two_results: 0,
            operations: 0,
            long: 0,
            figures: Figures::default(),
        }
    }

    /// Runs until every delivery is answered.
    pub(super) async fn run(&mut self) -> Result<(), Problem> {
        let begun = Instant::now();
        let until = begun + self.options.time;
        let mut trouble_at = begun + self.random.millis(300, 900);
        let mut sweep_at = begun;
        let mut heard_at = begun;
        let mut said_at = begun;
        while self.processes.len() < PROCESSES {
            let process = self.give_birth()?;
            self.processes.push(process);
        }
        loop {
            let now = Instant::now();
            self.release(now);
            while self.ready.len() < PROCESSES * 12
                && self.operations < self.options.operations
                && now < until
            {
                self.think_of_one(now);
            }
            self.deliver().await;
            let over = self.operations >= self.options.operations || now >= until;
            if over && self.owed.is_empty() {
                break;
            }
            for process in &mut self.processes {
                if process.stopped.is_some_and(|until| now >= until) {
                    process.go_on().await?;
                }
            }
            // Near the end nobody is hurt any more: every delivery is to be answered.
            if now >= trouble_at && !over {
                trouble_at = now + self.random.millis(150, 700);
                self.make_trouble(now).await?;
            }
            if now >= sweep_at {
                sweep_at = now + self.random.millis(50, 250);
                self.figures.swept += self.store.sweep(500).await?;
            }
            if now >= said_at + Duration::from_secs(10) {
                said_at = now;
                self.say(begun);
            }
            while let Ok(Some(heard)) =
                tokio::time::timeout(Duration::from_millis(2), self.ears.1.recv()).await
            {
                heard_at = now;
                self.hear(heard)?;
                if self.ears.1.is_empty() {
                    break;
                }
            }
            if now >= heard_at + PATIENCE {
                return Err(format!("{} operations are never answered", self.owed.len()).into());
            }
        }
        self.figures.operations = self.operations;
        self.figures.deliveries = self.deliveries;
        self.figures.took = begun.elapsed();
        for process in self.processes.drain(..) {
            process.end().await?;
        }
        Ok(())
    }

    /// What it knows for the audit, and what it counted.
    pub(super) fn known(&self) -> (Known<'_>, &Figures) {
        let known = Known {
            operations: self.operations,
            long: self.long,
            told: &self.told,
            two_results: self.two_results,
        };
        (known, &self.figures)
    }

    #[expect(
        clippy::print_stderr,
        reason = "a soak takes long, and says how far it is"
    )]
    fn say(&self, begun: Instant) {
        eprintln!(
            "{:>7} operations in {:>4} s, {} kills, {} pauses",
            self.operations,
            begun.elapsed().as_secs(),
            self.figures.kills,
            self.figures.pauses,
        );
    }

    fn give_birth(&mut self) -> Result<Process, Problem> {
        self.births += 1;
        let twin = self.options.twin.map(Twin::name);
        Process::start(self.place, self.births, twin, self.ears.0.clone())
    }

    /// A new operation, delivered once, twice or three times.
    fn think_of_one(&mut self, now: Instant) {
        let operation = self.operations.cast_signed();
        self.operations += 1;
        let flow = match self.random.below(100) {
            _ if self.options.twin.is_some() => Flow::LongLeased,
            0..40 => Flow::LongFused,
            40..65 => Flow::LongLeased,
            65..85 => Flow::BriefFused,
            _ => Flow::BriefLeased,
        };
        self.long += u64::from(!flow.is_brief());
        let copies = match self.random.below(100) {
            0..70 => 1,
            70..95 => 2,
            _ => 3,
        };
        self.owed.insert(operation, copies);
        for copy in 0..copies {
            let delivery = self.new_delivery(operation, flow);
            // A duplicate comes at once, or late: of a brief window perhaps behind its end.
            if copy > 0 && self.random.in_hundred(50) {
                let wait = self.random.millis(1, 2 * BRIEF_MS.unsigned_abs());
                self.later.insert((now + wait, delivery.number), delivery);
            } else {
                self.ready.push_back(delivery);
            }
        }
    }

    fn new_delivery(&mut self, operation: i64, flow: Flow) -> Delivery {
        self.deliveries += 1;
        let pause_ms = if self.random.in_hundred(25) {
            self.random.below(8)
        } else {
            0
        };
        Delivery {
            number: self.deliveries,
            operation,
            flow,
            pause_ms,
            fails: self.random.in_hundred(3),
        }
    }

    /// Delivers again what was not answered for good.
    fn redeliver(&mut self, delivery: Delivery, wait: Duration) {
        let again = self.new_delivery(delivery.operation, delivery.flow);
        self.later
            .insert((Instant::now() + wait, again.number), again);
    }

    fn release(&mut self, now: Instant) {
        while let Some(first) = self.later.first_entry()
            && first.key().0 <= now
        {
            self.ready.push_back(first.remove());
        }
    }

    async fn deliver(&mut self) {
        // Round and round, so that duplicates meet in different processes.
        loop {
            let mut none = true;
            for process in &mut self.processes {
                if process.has_room()
                    && let Some(delivery) = self.ready.pop_front()
                {
                    none = false;
                    process.deliver(delivery).await;
                }
            }
            if none {
                return;
            }
        }
    }

    async fn make_trouble(&mut self, now: Instant) -> Result<(), Problem> {
        let at = usize::try_from(self.random.below(PROCESSES as u64))?;
        let kill = self.random.in_hundred(60);
        let pause = self.random.millis(PAUSE_MS.0, PAUSE_MS.1);
        let Some(process) = self.processes.get_mut(at).filter(|p| !p.killed) else {
            return Ok(());
        };
        if kill {
            process.kill()?;
            self.figures.kills += 1;
        } else if process.stopped.is_none() {
            process.stop(now + pause).await?;
            self.figures.pauses += 1;
        }
        Ok(())
    }

    fn hear(&mut self, heard: Heard) -> Result<(), Problem> {
        match heard {
            Heard::Gone(birth) => {
                let Some(at) = self.processes.iter().position(|p| p.birth == birth) else {
                    return Ok(());
                };
                let new = self.give_birth()?;
                let old = std::mem::replace(&mut self.processes[at], new);
                if !old.killed {
                    return Err("a worker ended by itself; see above".into());
                }
                for delivery in old.held {
                    self.redeliver(delivery, Duration::from_millis(1));
                }
                Ok(())
            }
            Heard::Told(number, told) => self.take(number, told),
        }
    }

    fn take(&mut self, number: u64, told: Told) -> Result<(), Problem> {
        let delivery = self.processes.iter_mut().find_map(|process| {
            let at = process.held.iter().position(|held| held.number == number)?;
            Some(process.held.swap_remove(at))
        });
        let Some(delivery) = delivery else {
            return Ok(());
        };
        let soon = Duration::from_millis(5);
        match told {
            Told::Fresh { row, attempt } => {
                self.figures.fresh += 1;
                self.figures.takeovers += u64::from(attempt > 1);
                self.answered(delivery, row);
            }
            Told::Replay { row } => {
                self.figures.replays += 1;
                self.answered(delivery, row);
            }
            Told::Busy => {
                self.figures.busy += 1;
                self.redeliver(delivery, Duration::from_millis(40));
            }
            Told::Failed => {
                self.figures.failed += 1;
                self.redeliver(delivery, soon);
            }
            Told::Fenced => {
                self.figures.fenced += 1;
                self.redeliver(delivery, soon);
            }
            Told::Unavailable(why) => {
                self.figures.unavailable += 1;
                self.figures.why.get_or_insert(why);
                self.redeliver(delivery, soon);
            }
            Told::Wrong(what) => {
                return Err(format!("operation {}: {what}", delivery.operation).into());
            }
        }
        Ok(())
    }

    fn answered(&mut self, delivery: Delivery, row: i64) {
        if !delivery.flow.is_brief() {
            let first = *self.told.entry(delivery.operation).or_insert(row);
            self.two_results += u64::from(first != row);
        }
        if let Some(owed) = self.owed.get_mut(&delivery.operation) {
            *owed -= 1;
            if *owed == 0 {
                self.owed.remove(&delivery.operation);
            }
        }
    }
}
