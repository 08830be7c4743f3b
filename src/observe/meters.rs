//! Counters and histograms, through the crate `metrics`: whichever recorder the service installs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics::{counter, histogram};

use crate::desk::LetterKind;
use crate::store::Request;

/// How many requests are remembered: a burst is far denser than one in so many.
const REMEMBERED: usize = 4096;

/// The last requests, each in the place that its digest names: digest and key in one number, half each.
static LAST: [AtomicU64; REMEMBERED] = [const { AtomicU64::new(0) }; REMEMBERED];

pub(super) fn claim(workflow: &'static str, outcome: &'static str) {
    counter!("idem_claims_total", "workflow" => workflow, "outcome" => outcome).increment(1);
}

/// Counts a new key whose request is that of another key not long ago: a sender that makes up a key
/// at each attempt. Where nothing but the key is hashed, all requests are equal and none is counted.
pub(super) fn request(request: &Request) {
    let fingerprint = request.fingerprint();
    if fingerprint.field_digests().is_empty() {
        return;
    }
    let half = |of: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        of(&mut hasher);
        hasher.finish() >> 32
    };
    let workflow = request.workflow().name();
    let asked = half(&|hasher| (workflow, fingerprint.digest()).hash(hasher));
    let key = half(&|hasher| request.key().as_str().hash(hasher));
    let place = usize::try_from(asked).map_or(0, |asked| asked % REMEMBERED);
    let before = LAST[place].swap(asked << 32 | key, Ordering::Relaxed);
    if before >> 32 == asked && before & u64::from(u32::MAX) != key {
        counter!("idem_equal_requests_total", "workflow" => workflow).increment(1);
    }
}

pub(super) fn handled(workflow: &'static str, took: Duration) {
    histogram!("idem_handler_seconds", "workflow" => workflow).record(took);
}

pub(super) fn ended(workflow: &'static str, how: &'static str) {
    counter!("idem_attempts_total", "workflow" => workflow, "end" => how).increment(1);
}

pub(super) fn conflict(workflow: &'static str) {
    counter!("idem_conflicts_total", "workflow" => workflow).increment(1);
}

pub(super) fn unanswered(workflow: &'static str, effect: &'static str) {
    counter!("idem_unanswered_effects_total", "workflow" => workflow, "effect" => effect)
        .increment(1);
}

pub(super) fn letter(workflow: &str, kind: LetterKind) {
    counter!(
        "idem_dead_letters_total",
        "workflow" => workflow.to_owned(),
        "kind" => kind.as_str()
    )
    .increment(1);
}

pub(super) fn settled(workflow: &str, act: &str) {
    counter!(
        "idem_settled_total",
        "workflow" => workflow.to_owned(),
        "act" => act.to_owned()
    )
    .increment(1);
}

pub(super) fn swept(rows: u64, took: Duration) {
    counter!("idem_swept_rows_total").increment(rows);
    histogram!("idem_sweep_seconds").record(took);
}
