//! The document, the code and the counters agree.

use std::collections::BTreeMap;
use std::path::Path;

const CODE: &str = include_str!("../observe.rs");
const METERS: &str = include_str!("meters.rs");

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/observability.md");
    std::fs::read_to_string(path).expect("the page is there")
}

/// Name to level and fields, of each event that the code emits.
fn emitted() -> BTreeMap<String, (String, Vec<String>)> {
    let mut events = BTreeMap::new();
    for call in CODE.split("tracing::").skip(1) {
        let (level, rest) = call.split_once("!(").expect("a macro");
        let (inside, _) = rest.split_once(')').expect("its end");
        let mut words: Vec<String> = inside
            .split(',')
            .map(|word| word.trim().trim_matches(['%', '?', '"']).to_owned())
            .filter(|word| !word.is_empty())
            .collect();
        let name = words.pop().expect("its name comes last");
        assert!(name.starts_with("idem."), "{name}");
        let twice = events.insert(name.clone(), (level.to_owned(), words));
        assert_eq!(twice, None, "{name} has one place");
    }
    events
}

/// The cells of each row of the page whose first cell begins so.
fn rows(prefix: &str) -> Vec<Vec<String>> {
    page()
        .lines()
        .filter(|line| line.starts_with(&format!("| `{prefix}")))
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.replace('`', "").trim().to_owned())
                .collect()
        })
        .collect()
}

#[test]
fn the_page_lists_every_event_with_its_level_and_fields() {
    let listed: BTreeMap<_, _> = rows("idem.")
        .into_iter()
        .map(|cells| {
            let fields = cells[2].split(", ").map(str::to_owned).collect();
            (cells[0].clone(), (cells[1].clone(), fields))
        })
        .collect();
    assert_eq!(listed, emitted());
    assert!(listed.len() > 20, "the table was read: {listed:?}");
}

#[test]
fn the_page_lists_every_metric_with_its_labels() {
    let mut counted = BTreeMap::new();
    for kind in ["counter", "histogram"] {
        for call in METERS.split(&format!("{kind}!(")).skip(1) {
            let (inside, _) = call.split_once(").").unwrap_or((call, ""));
            let inside = inside.split(")\n").next().expect("a part");
            let mut texts = inside.split('"').skip(1).step_by(2).map(str::to_owned);
            let name = texts.next().expect("a name");
            counted.insert(
                name,
                (kind.to_owned(), texts.collect::<Vec<_>>().join(", ")),
            );
        }
    }
    let listed: BTreeMap<_, _> = rows("idem_")
        .into_iter()
        .map(|cells| (cells[0].clone(), (cells[1].clone(), cells[2].clone())))
        .collect();
    assert_eq!(listed, counted);
    assert!(listed.len() > 8, "the table was read: {listed:?}");
}

#[test]
fn nothing_is_told_from_any_other_place() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("it lists") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("src/observe.rs") && !path.ends_with("observe/tests.rs") {
                let text = std::fs::read_to_string(&path).expect("it reads");
                read += 1;
                for macro_of in ["tracing::", "metrics::"] {
                    let found = text.lines().find(|line| {
                        line.contains(macro_of) && !line.trim_start().starts_with("//")
                    });
                    let meters = path.ends_with("observe/meters.rs");
                    assert!(meters || found.is_none(), "{}: {found:?}", path.display());
                }
            }
        }
    }
    assert!(read > 40, "the sources were read");
}

#[cfg(feature = "metrics")]
mod counted {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};

    use metrics::{
        Counter, Gauge, Histogram, Key as Name, KeyName, Metadata, Recorder, SharedString, Unit,
        with_local_recorder,
    };

    use crate::claim::{Claim, Told};
    use crate::store::Request;
    use crate::{Fence, FieldType, Fingerprint, Key, Workflow, observe};

    #[derive(Default)]
    struct Counters(Mutex<BTreeMap<String, Arc<AtomicU64>>>);

    impl Counters {
        fn of(&self, name: &str, label: &str) -> u64 {
            let counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            counters
                .iter()
                .filter(|(known, _)| known.starts_with(name) && known.contains(label))
                .map(|(_, count)| count.load(Ordering::Relaxed))
                .sum()
        }
    }

    impl Recorder for Counters {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn register_counter(&self, key: &Name, _: &Metadata<'_>) -> Counter {
            let labels: Vec<_> = key
                .labels()
                .map(|label| format!("{}={}", label.key(), label.value()))
                .collect();
            let name = format!("{} {}", key.name(), labels.join(" "));
            let mut counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Counter::from_arc(Arc::clone(counters.entry(name).or_default()))
        }
        fn register_gauge(&self, _: &Name, _: &Metadata<'_>) -> Gauge {
            Gauge::noop()
        }
        fn register_histogram(&self, _: &Name, _: &Metadata<'_>) -> Histogram {
            Histogram::noop()
        }
    }

    static FLOW: Workflow = Workflow::new("counted", 1);

    const FIRST: Claim = Claim {
        attempt: 1,
        fence: Fence::FIRST,
        followed: None,
        previous: None,
    };

    fn asked(id: u32, amount: Option<u32>) -> Request {
        let key = Key::from_stored(&format!("counted:v1:{id}"));
        let mut hasher = Fingerprint::recipe("counted", 1);
        if let Some(amount) = amount {
            hasher.field("amount", FieldType::Integer, &amount);
        }
        let fingerprint = hasher.finish().expect("it hashes");
        Request::new(&FLOW, key.expect("it is a key"), fingerprint)
    }

    #[test]
    fn equal_requests_under_many_keys_are_counted_and_honest_ones_are_not() {
        let counters = Counters::default();
        with_local_recorder(&counters, || {
            for id in 0..10 {
                observe::claimed(&asked(id, Some(id)), &FIRST);
                observe::claimed(&asked(id, None), &FIRST);
            }
            assert_eq!(counters.of("idem_equal_requests_total", "counted"), 0);
            for id in 10..20 {
                observe::claimed(&asked(id, Some(7)), &FIRST);
            }
            // The first of them is a new key for the request that key 7 had.
            assert_eq!(counters.of("idem_equal_requests_total", "counted"), 10);
        });
    }

    #[test]
    fn claims_are_counted_by_outcome() {
        let counters = Counters::default();
        with_local_recorder(&counters, || {
            let request = asked(1, Some(1));
            observe::claimed(&request, &FIRST);
            observe::claimed(
                &request,
                &Claim {
                    attempt: 2,
                    ..FIRST
                },
            );
            for _ in 0..3 {
                observe::told(&request, &Told::Mismatch { fields: Vec::new() });
            }
            observe::fenced(&request, &FIRST);
        });
        for (name, label, count) in [
            ("idem_claims_total", "outcome=won", 1),
            ("idem_claims_total", "outcome=taken_over", 1),
            ("idem_claims_total", "outcome=mismatch", 3),
            ("idem_attempts_total", "end=fenced", 1),
        ] {
            assert_eq!(counters.of(name, label), count, "{name} {label}");
        }
    }
}
