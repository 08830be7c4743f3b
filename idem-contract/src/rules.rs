//! Every rule, once. A rule is one file, one `mod` line and one entry in [`ALL`].
//!
//! A rule's file is its id with underscores, its static is the same in capitals, and its `//!`
//! lines are its page: headings `# id`, one summary line, then `## What it does`,
//! `## Why it hurts`, `## Bad`, `## Good`, `## Source`. Bad and Good in a `toml` fence are executed
//! (see `examples`); an example in another language stands in an `rs` or `text` fence.

use crate::{Group, Place, Rule};

mod allow_without_reason;
mod anonymous_scope;
mod arrival_time_as_version;
mod attempt_in_key;
mod attribute_disagrees;
mod broker_position_in_key;
mod clock_in_key;
mod coarse_key;
mod coarse_version;
mod constant_key;
mod default_in_key;
mod duplicate_key_field;
mod duplicate_workflow;
mod endless_window;
mod entity_strategy_too_wide;
mod environment_in_key;
#[cfg(test)]
pub(crate) mod examples;
mod expired_allow;
mod expired_overlap;
mod external_gap;
mod file_name_mismatch;
mod float_in_key;
mod forced_fused;
mod hash_recipe_changed;
mod hash_repeats_key;
mod header_as_only_guard;
mod impure_key;
mod invalid_syntax;
mod invalid_value;
mod irreversible_before_fallible;
mod joined_key_text;
mod key_recipe_changed;
mod key_too_long;
mod known_unstable_id;
mod lease_not_below_window;
mod lease_shorter_than_work;
mod long_work_without_heartbeat;
mod missing_cleanup;
mod missing_consumer;
mod missing_field;
mod missing_lease;
mod missing_provider_header;
mod missing_request_hash;
mod missing_tenant;
mod missing_window;
mod mutable_key_part;
mod no_effects;
mod no_key;
mod offset_as_version;
mod open_on_outage;
mod optional_key_part;
mod order_drops_inserts;
mod payload_hash_key;
mod personal_data_in_key;
mod personal_data_in_response;
mod position_in_key;
mod provider_forgets_first;
mod random_in_key;
#[cfg(test)]
mod registry;
mod relative_upsert;
mod retried_irreversible;
mod split_transaction;
mod stale_lock;
mod suspicious_key_name;
mod tenant_from_body;
mod timestamp_in_key;
mod unbounded_attempts;
mod unbounded_cleanup;
mod unbounded_wait;
mod unclassified_failure;
mod undeclared_effect;
mod undeclared_field;
mod undeclared_key_field;
mod unguarded_order;
mod unknown_field;
mod unknown_horizon;
mod unknown_value;
mod unlimited_response;
mod unnormalised_text_in_key;
mod unowned_dead_letter;
mod unperformed_effect;
mod unreadable_file;
mod unresolved_ambiguity;
mod unstated_origin;
mod unsupported_format;
mod unused_allow;
mod upsert_without_conflict_target;
mod volatile_hash_field;
mod window_shortened;
mod window_shorter_than_redelivery;
mod window_shorter_than_retries;
mod workflow_renamed;
mod wrong_type;

// The rules that are raised where the fact is seen.
pub(crate) use {
    allow_without_reason::ALLOW_WITHOUT_REASON, duplicate_workflow::DUPLICATE_WORKFLOW,
    expired_allow::EXPIRED_ALLOW, expired_overlap::EXPIRED_OVERLAP,
    file_name_mismatch::FILE_NAME_MISMATCH, hash_recipe_changed::HASH_RECIPE_CHANGED,
    invalid_syntax::INVALID_SYNTAX, invalid_value::INVALID_VALUE,
    key_recipe_changed::KEY_RECIPE_CHANGED, missing_field::MISSING_FIELD, stale_lock::STALE_LOCK,
    undeclared_field::UNDECLARED_FIELD, unknown_field::UNKNOWN_FIELD, unknown_value::UNKNOWN_VALUE,
    unreadable_file::UNREADABLE_FILE, unsupported_format::UNSUPPORTED_FORMAT,
    unused_allow::UNUSED_ALLOW, window_shortened::WINDOW_SHORTENED,
    workflow_renamed::WORKFLOW_RENAMED, wrong_type::WRONG_TYPE,
};

/// Every rule, in the order of the groups of the rule list, by id inside a group.
pub static ALL: &[&Rule] = &[
    // format
    &allow_without_reason::ALLOW_WITHOUT_REASON,
    &duplicate_workflow::DUPLICATE_WORKFLOW,
    &expired_allow::EXPIRED_ALLOW,
    &expired_overlap::EXPIRED_OVERLAP,
    &file_name_mismatch::FILE_NAME_MISMATCH,
    &invalid_syntax::INVALID_SYNTAX,
    &invalid_value::INVALID_VALUE,
    &missing_field::MISSING_FIELD,
    &undeclared_field::UNDECLARED_FIELD,
    &unknown_field::UNKNOWN_FIELD,
    &unknown_value::UNKNOWN_VALUE,
    &unreadable_file::UNREADABLE_FILE,
    &unsupported_format::UNSUPPORTED_FORMAT,
    &unused_allow::UNUSED_ALLOW,
    &wrong_type::WRONG_TYPE,
    // key
    &attempt_in_key::ATTEMPT_IN_KEY,
    &broker_position_in_key::BROKER_POSITION_IN_KEY,
    &clock_in_key::CLOCK_IN_KEY,
    &coarse_key::COARSE_KEY,
    &constant_key::CONSTANT_KEY,
    &default_in_key::DEFAULT_IN_KEY,
    &duplicate_key_field::DUPLICATE_KEY_FIELD,
    &environment_in_key::ENVIRONMENT_IN_KEY,
    &float_in_key::FLOAT_IN_KEY,
    &impure_key::IMPURE_KEY,
    &joined_key_text::JOINED_KEY_TEXT,
    &key_too_long::KEY_TOO_LONG,
    &known_unstable_id::KNOWN_UNSTABLE_ID,
    &mutable_key_part::MUTABLE_KEY_PART,
    &no_key::NO_KEY,
    &optional_key_part::OPTIONAL_KEY_PART,
    &payload_hash_key::PAYLOAD_HASH_KEY,
    &personal_data_in_key::PERSONAL_DATA_IN_KEY,
    &position_in_key::POSITION_IN_KEY,
    &random_in_key::RANDOM_IN_KEY,
    &suspicious_key_name::SUSPICIOUS_KEY_NAME,
    &timestamp_in_key::TIMESTAMP_IN_KEY,
    &undeclared_key_field::UNDECLARED_KEY_FIELD,
    &unnormalised_text_in_key::UNNORMALISED_TEXT_IN_KEY,
    &unstated_origin::UNSTATED_ORIGIN,
    // scope
    &anonymous_scope::ANONYMOUS_SCOPE,
    &missing_consumer::MISSING_CONSUMER,
    &missing_tenant::MISSING_TENANT,
    &tenant_from_body::TENANT_FROM_BODY,
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
    // request and response
    &hash_repeats_key::HASH_REPEATS_KEY,
    &missing_request_hash::MISSING_REQUEST_HASH,
    &personal_data_in_response::PERSONAL_DATA_IN_RESPONSE,
    &unlimited_response::UNLIMITED_RESPONSE,
    &volatile_hash_field::VOLATILE_HASH_FIELD,
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
    &hash_recipe_changed::HASH_RECIPE_CHANGED,
    &key_recipe_changed::KEY_RECIPE_CHANGED,
    &stale_lock::STALE_LOCK,
    &window_shortened::WINDOW_SHORTENED,
    &workflow_renamed::WORKFLOW_RENAMED,
];

/// Rules over Rust source and SQL migrations. Only `[[allow]]` knows them here: a contract may
/// silence what another check says of its workflow.
pub(crate) const ELSEWHERE: &[&str] = &[
    "ack-before-commit",
    "check-then-insert",
    "contract-without-handler",
    "drill-missing",
    "fresh-value-at-call",
    "generated-default",
    "handler-without-contract",
    "json-for-replay",
    "key-outside-loop",
    "missing-expiry-index",
    "missing-unique-constraint",
    "network-in-transaction",
    "unhashed-field",
    "unwrapped-write",
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
