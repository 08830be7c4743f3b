//! What every store promises: one module for each numbered sentence of the specification's chapter
//! on claim and commit, and each test runs against every store.
//!
//! Sentence 14 speaks of order.
//! Sentence 15 ("asking a store for what it cannot do does not compile") needs no run:
//! every helper here asks for `TransactionalStore`, and a store without transactions does not
//! implement it.

pub(crate) mod harness;
pub(crate) mod outside;
pub(crate) mod script;
pub(crate) mod stores;

pub(crate) use self::harness::against_every_database;

mod s01_one_winner;
mod s02_losers_never_wait;
mod s03_whose_clock;
mod s04_answers_are_values;
mod s05_outage;
mod s06_fenced_completion;
mod s07_the_fence_is_readable;
mod s08_heartbeat;
mod s09_conflicts;
mod s10_dropped_callers;
mod s11_resuming;
mod s12_dead_letters;
mod s13_probes;
mod s16_sweeping;
mod s17_the_window;
mod s18_overlap;
mod s19_replays;

mod broken_sessions;
mod costs;
mod crashes;
mod damaged_rows;
mod desk;
mod doubtful_ends;
mod effect_ends;
mod effect_order;
mod effect_rows;
mod ended_transactions;
mod failures;
mod hangups;
mod mysql_costs;
mod mysql_sessions;
mod mysql_waits;
mod one_connection;
mod outage_proxy;
mod redacted_results;
mod scarce;
mod tables;
