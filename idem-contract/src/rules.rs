//! Every rule, once. A rule is one file, one `mod` line and one entry in [`ALL`].
//!
//! A rule's file is its id with underscores, its static is the same in capitals, and its `//!`
//! lines are its page: headings `# id`, one summary line, then `## What it does`,
//! `## Why it hurts`, `## Bad`, `## Good`, `## Source`. Bad and Good in a `toml` fence are executed
//! (see `examples`); an example in another language stands in an `rs` or `text` fence.

use crate::{Group, Place, Rule};

mod arrival_time_as_version;
mod attribute_disagrees;
mod coarse_version;
mod endless_window;
mod entity_strategy_too_wide;
mod external_gap;
mod forced_fused;
mod header_as_only_guard;
mod invalid_syntax;
mod invalid_value;
mod irreversible_before_fallible;
mod lease_not_below_window;
mod lease_shorter_than_work;
mod long_work_without_heartbeat;
mod missing_cleanup;
mod missing_field;
mod missing_lease;
mod missing_provider_header;
mod missing_window;
mod no_effects;
mod offset_as_version;
mod open_on_outage;
mod order_drops_inserts;
mod provider_forgets_first;
mod relative_upsert;
mod retried_irreversible;
mod split_transaction;
mod unbounded_attempts;
mod unbounded_cleanup;
mod unbounded_wait;
mod unclassified_failure;
mod undeclared_effect;
mod undeclared_field;
mod unguarded_order;
mod unknown_field;
mod unknown_horizon;
mod unknown_value;
mod unowned_dead_letter;
mod unperformed_effect;
mod unreadable_file;
mod unresolved_ambiguity;
mod unsupported_format;
mod upsert_without_conflict_target;
mod window_shorter_than_redelivery;
mod window_shorter_than_retries;
mod wrong_type;

// The rules that are raised where the fact is seen.
pub(crate) use {
    invalid_syntax::INVALID_SYNTAX, invalid_value::INVALID_VALUE, missing_field::MISSING_FIELD,
    undeclared_field::UNDECLARED_FIELD, unknown_field::UNKNOWN_FIELD, unknown_value::UNKNOWN_VALUE,
    unreadable_file::UNREADABLE_FILE, unsupported_format::UNSUPPORTED_FORMAT,
    wrong_type::WRONG_TYPE,
};

/// Every rule, in the order of the groups of the rule list, by id inside a group.
pub static ALL: &[&Rule] = &[
    // format
    &invalid_syntax::INVALID_SYNTAX,
    &invalid_value::INVALID_VALUE,
    &missing_field::MISSING_FIELD,
    &undeclared_field::UNDECLARED_FIELD,
    &unknown_field::UNKNOWN_FIELD,
    &unknown_value::UNKNOWN_VALUE,
    &unreadable_file::UNREADABLE_FILE,
    &unsupported_format::UNSUPPORTED_FORMAT,
    &wrong_type::WRONG_TYPE,
    // claim
    &forced_fused::FORCED_FUSED,
    &lease_not_below_window::LEASE_NOT_BELOW_WINDOW,
    &lease_shorter_than_work::LEASE_SHORTER_THAN_WORK,
    &long_work_without_heartbeat::LONG_WORK_WITHOUT_HEARTBEAT,
    &missing_lease::MISSING_LEASE,
    &open_on_outage::OPEN_ON_OUTAGE,
    &unbounded_attempts::UNBOUNDED_ATTEMPTS,
    &unbounded_wait::UNBOUNDED_WAIT,
    // commit and effects
    &entity_strategy_too_wide::ENTITY_STRATEGY_TOO_WIDE,
    &external_gap::EXTERNAL_GAP,
    &header_as_only_guard::HEADER_AS_ONLY_GUARD,
    &irreversible_before_fallible::IRREVERSIBLE_BEFORE_FALLIBLE,
    &missing_provider_header::MISSING_PROVIDER_HEADER,
    &no_effects::NO_EFFECTS,
    &provider_forgets_first::PROVIDER_FORGETS_FIRST,
    &relative_upsert::RELATIVE_UPSERT,
    &retried_irreversible::RETRIED_IRREVERSIBLE,
    &split_transaction::SPLIT_TRANSACTION,
    &unclassified_failure::UNCLASSIFIED_FAILURE,
    &undeclared_effect::UNDECLARED_EFFECT,
    &unowned_dead_letter::UNOWNED_DEAD_LETTER,
    &unperformed_effect::UNPERFORMED_EFFECT,
    &unresolved_ambiguity::UNRESOLVED_AMBIGUITY,
    &upsert_without_conflict_target::UPSERT_WITHOUT_CONFLICT_TARGET,
    // order
    &arrival_time_as_version::ARRIVAL_TIME_AS_VERSION,
    &coarse_version::COARSE_VERSION,
    &offset_as_version::OFFSET_AS_VERSION,
    &order_drops_inserts::ORDER_DROPS_INSERTS,
    &unguarded_order::UNGUARDED_ORDER,
    // window and cleanup
    &endless_window::ENDLESS_WINDOW,
    &missing_cleanup::MISSING_CLEANUP,
    &missing_window::MISSING_WINDOW,
    &unbounded_cleanup::UNBOUNDED_CLEANUP,
    &unknown_horizon::UNKNOWN_HORIZON,
    &window_shorter_than_redelivery::WINDOW_SHORTER_THAN_REDELIVERY,
    &window_shorter_than_retries::WINDOW_SHORTER_THAN_RETRIES,
    // evolution and wiring
    &attribute_disagrees::ATTRIBUTE_DISAGREES,
];

/// The rule of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// The rule's page as Markdown, ending in one line break.
#[must_use]
pub fn page(rule: &Rule) -> String {
    let mut page = String::new();
    for line in page_lines(rule.source) {
        page.push_str(line);
        page.push('\n');
    }
    page
}

fn page_lines(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
}

impl Rule {
    /// Whether `[[allow]]` can silence it: not what says that the contract cannot be read, and not
    /// what says that a silence is not earned.
    #[must_use]
    pub fn can_be_allowed(&self) -> bool {
        self.group != Group::Format || !self.places.contains(&Place::Contract)
    }

    /// One line: what the rule catches.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        page_lines(self.source)
            .skip(1)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
    }
}
