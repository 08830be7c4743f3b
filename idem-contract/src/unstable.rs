//! Names of values that differ between two attempts of one operation.
//!
//! The table is data (`data/unstable_sources.toml`); `unstable/table.rs` is generated from it and
//! sorted, so that a look-up is a binary search.

mod table;

use std::borrow::Cow;

use crate::name::{flat, snake};
use crate::{Mention, Role};

/// One source of unstable values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unstable {
    /// The entry's id in the table.
    pub id: &'static str,
    /// Why the value differs.
    pub category: Category,
    /// What follows from it.
    pub level: Level,
    /// What to write instead, without a full stop.
    pub instead: &'static str,
    /// A remark for readers; may be empty.
    pub note: &'static str,
}

/// Why a value differs between attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The current time.
    Clock,
    /// Drawn at call time.
    Random,
    /// An index, a length, a counter.
    Position,
    /// The machine, process, connection or build.
    Environment,
    /// Which attempt or delivery this is.
    Delivery,
    /// Different values become one text, or one value several texts.
    Lossy,
    /// A stand-in for a value that is not there.
    Absent,
    /// It does not differ: listed so that nothing refuses it.
    Stable,
}

impl Category {
    /// The key rule that speaks for a denied name of this category.
    #[must_use]
    pub const fn rule(self) -> Option<&'static str> {
        match self {
            Self::Clock => Some("clock-in-key"),
            Self::Random => Some("random-in-key"),
            Self::Position => Some("position-in-key"),
            Self::Environment => Some("environment-in-key"),
            Self::Delivery => Some("attempt-in-key"),
            Self::Absent => Some("default-in-key"),
            Self::Lossy => Some("impure-key"),
            Self::Stable => None,
        }
    }
}

/// What follows from a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Refused in a key, whatever origin is stated.
    Deny,
    /// Refuses nothing by itself.
    Warn,
    /// Known to hold.
    Allow,
}

/// The entry of a name by what it stands for.
///
/// Fields, arguments and contract fields are compared in every spelling (`receipt_handle`,
/// `receiptHandle`, `Receipt-Handle`), but only as whole names. A call or path may be given with
/// its segments (then as [`lookup_path`] does) or as its last segment alone.
///
/// ```
/// use idem_contract::{Role, unstable};
///
/// let found = unstable::lookup(Role::Field, "receiptHandle").expect("in the table");
/// assert_eq!(found.level, unstable::Level::Deny);
/// assert!(unstable::lookup(Role::Field, "receipt_handle_policy").is_none());
/// ```
#[must_use]
pub fn lookup(role: Role, name: &str) -> Option<&'static Unstable> {
    match role {
        Role::Field | Role::Argument => by_name(name),
        Role::Call | Role::Path => lookup_path(name),
        Role::Method => stricter(find(table::METHODS, name), find(table::LAST, name)),
        Role::Macro => find(table::MACROS, last_segment(name)),
    }
}

/// The entry of a call or path, segments joined by `::`, by its last segments.
///
/// What stands before them is of no account, so `use chrono::Utc as Clock` does not hide a clock.
///
/// ```
/// use idem_contract::unstable;
///
/// assert!(unstable::lookup_path("Clock::now").is_some());
/// assert!(unstable::lookup_path("Ulid::new").is_some());
/// assert!(unstable::lookup_path("Order::new").is_none());
/// ```
#[must_use]
pub fn lookup_path(path: &str) -> Option<&'static Unstable> {
    let last = last_segment(path);
    let owner = path
        .strip_suffix(last)
        .and_then(|rest| rest.strip_suffix("::"))
        .map(last_segment);
    let mut found = stricter(find(table::LAST, last), find(table::TYPES, last));
    match owner {
        Some(owner) => {
            found = stricter(found, find(table::PAIRS, &format!("{owner}::{last}")));
            found = stricter(found, find(table::PAIRS, &format!("{owner}::*")));
            found = stricter(found, find(table::TYPES, owner));
            if owner.starts_with(char::is_uppercase) {
                found = stricter(found, find(table::METHODS, last));
            } else {
                found = stricter(found, find(table::CALLS, last));
            }
        }
        None => found = stricter(found, find(table::CALLS, last)),
    }
    found
}

/// The entry of a name inside a key part.
#[must_use]
pub fn of(mention: &Mention) -> Option<&'static Unstable> {
    match mention.role {
        Role::Call | Role::Path => lookup_path(&mention.path),
        Role::Field | Role::Argument | Role::Method | Role::Macro => {
            lookup(mention.role, &mention.name)
        }
    }
}

/// Every entry, in the table's order.
#[must_use]
pub fn all() -> &'static [Unstable] {
    table::ENTRIES
}

fn by_name(name: &str) -> Option<&'static Unstable> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    match (flat(name), snake(name)) {
        // The usual spelling has one form.
        (Cow::Borrowed(name), _) => find(table::NAMES, name),
        (flat, snake) => stricter(find(table::NAMES, &flat), find(table::NAMES, &snake)),
    }
}

fn find(names: &[(&str, u16)], name: &str) -> Option<&'static Unstable> {
    let at = names
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    table::ENTRIES.get(usize::from(names[at].1))
}

/// The stricter of two entries; the first where both are alike.
fn stricter(
    first: Option<&'static Unstable>,
    second: Option<&'static Unstable>,
) -> Option<&'static Unstable> {
    match (first, second) {
        (Some(a), Some(b)) if b.level < a.level => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(role: Role, name: &str) -> Option<(Category, Level)> {
        lookup(role, name).map(|found| (found.category, found.level))
    }

    #[test]
    fn every_spelling_of_a_denied_name_is_found() {
        for name in [
            "receipt_handle",
            "receiptHandle",
            "ReceiptHandle",
            "Receipt-Handle",
            "r#receipt_handle",
            "x_amzn_trace_id",
            "X-Amzn-Trace-Id",
            "xAmznTraceId",
            "ApproximateReceiveCount",
            "approximateReceiveCount",
            "X-CloudTasks-TaskRetryCount",
            "x-cloudtasks-taskretrycount",
            "jmsxDeliveryCount",
            "JMSXDeliveryCount",
            "CF-Ray",
            "traceID",
            "delivery_tag",
        ] {
            assert_eq!(
                level(Role::Field, name),
                Some((Category::Delivery, Level::Deny)),
                "{name}"
            );
        }
    }

    #[test]
    fn only_whole_names_count() {
        for name in [
            "payment_attempt_id",
            "delivered_to",
            "conversion",
            "host_club_id",
            "p_id",
            "t_id",
            "node_type",
            "token_holder_id",
            "indexed_fund_id",
        ] {
            assert_eq!(lookup(Role::Field, name), None, "{name}");
        }
    }

    #[test]
    fn a_path_is_known_by_its_last_segments_and_not_by_an_innocent_one() {
        for path in [
            "chrono::Utc::now",
            "Clock::now",
            "now",
            "Ulid::new",
            "crate::ids::Ulid::new",
            "rand::random",
            "fastrand::u64",
            "std::process::id",
            "process::id",
            "DefaultHasher::new",
            "std::hash::DefaultHasher",
            "OsRng",
            "std::env::var",
            "Uuid::new_v4",
            "Instant::elapsed",
            "uuid",
            "ids::new_id",
        ] {
            let found = lookup_path(path).unwrap_or_else(|| panic!("{path} is not known"));
            assert_eq!(found.level, Level::Deny, "{path}");
        }
        for path in [
            "Order::new",
            "new",
            "id",
            "Order::id",
            "get",
            "len",
            "Order::uuid",
            "time",
            "fill",
        ] {
            assert_eq!(lookup_path(path), None, "{path}");
        }
    }

    #[test]
    fn roles_do_not_mix() {
        assert!(lookup(Role::Method, "len").is_some());
        assert!(lookup(Role::Field, "len").is_none());
        assert!(lookup(Role::Method, "now").is_some(), "an injected clock");
        assert!(lookup(Role::Macro, "format").is_some());
        assert!(lookup(Role::Method, "format_id").is_none());
        assert!(lookup(Role::Method, "uuid").is_none(), "an accessor");
        assert!(lookup(Role::Field, "uuid").is_none());
    }

    #[test]
    fn the_stricter_of_two_entries_counts() {
        assert_eq!(
            level(Role::Field, "epoch"),
            Some((Category::Delivery, Level::Deny))
        );
        assert_eq!(
            level(Role::Field, "business_date"),
            Some((Category::Clock, Level::Allow))
        );
        assert_eq!(
            level(Role::Field, "version"),
            Some((Category::Environment, Level::Warn))
        );
    }

    #[test]
    fn every_denied_entry_says_what_to_write_instead() {
        for entry in all() {
            assert!(
                entry.level != Level::Deny || !entry.instead.is_empty(),
                "{}",
                entry.id
            );
        }
    }

    #[test]
    fn the_tables_are_sorted_and_point_at_entries() {
        for names in [
            table::NAMES,
            table::LAST,
            table::METHODS,
            table::CALLS,
            table::MACROS,
            table::PAIRS,
            table::TYPES,
        ] {
            assert!(names.is_sorted_by(|a, b| a.0 < b.0));
            assert!(
                names
                    .iter()
                    .all(|(_, at)| usize::from(*at) < table::ENTRIES.len())
            );
        }
    }
}
