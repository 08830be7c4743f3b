//! What each strategy needs, and what it has no use for.

use super::decoder::Decoder;
use crate::{Contract, Header, Related, Setting, Span, Strategy, rules};

impl Decoder<'_, '_> {
    /// `upsert`, `entity` and `external` need their own table; other strategies have no use for it,
    /// nor `upsert` and `entity` for the bookkeeping's.
    pub(super) fn check_strategy(&mut self, contract: &Contract) {
        if matches!(contract.strategy, Setting::Unreadable(_)) {
            return;
        }
        let strategy = contract.strategy();
        let anchor = contract
            .strategy
            .span()
            .unwrap_or_else(|| contract.anchor());
        if strategy == Strategy::Entity {
            for (name, absent, help) in [
                (
                    "field",
                    contract.entity.field.is_absent(),
                    "`field = \"…\"`",
                ),
                (
                    "memory",
                    contract.entity.memory.is_absent(),
                    "`memory = \"last_version\"` or `\"processed_ids\"`",
                ),
            ] {
                if absent {
                    self.strategy_needs(anchor, contract.entity.header, "entity", name, help);
                }
            }
        }
        if strategy == Strategy::External && contract.external.store.is_absent() {
            let help = "`store = \"redis\"`";
            self.strategy_needs(anchor, contract.external.header, "external", "store", help);
        }
        let own = contract.keeps_bookkeeping();
        for (table, header, applies) in [
            (
                "upsert",
                contract.upsert.header,
                strategy == Strategy::Upsert,
            ),
            (
                "entity",
                contract.entity.header,
                strategy == Strategy::Entity,
            ),
            (
                "external",
                contract.external.header,
                strategy == Strategy::External,
            ),
            ("claim", contract.claim.header, own),
            ("response", contract.response.header, own),
            ("cleanup", contract.cleanup.header, own),
        ] {
            if let Some(header) = header
                && !applies
            {
                self.invalid(
                    header.span,
                    table.to_owned(),
                    format!(
                        "`[{table}]` does nothing with strategy `{}`",
                        strategy.as_str()
                    ),
                    "a setting that nothing reads promises what nobody keeps",
                    format!("take `[{table}]` out, or choose the strategy that uses it"),
                )
                .related
                .extend(contract.strategy.span().map(|span| Related {
                    file: None,
                    span,
                    message: "the strategy".to_owned(),
                }));
            }
        }
    }

    fn strategy_needs(
        &mut self,
        anchor: Span,
        header: Option<Header>,
        table: &'static str,
        name: &str,
        help: &str,
    ) {
        self.report(
            &rules::MISSING_FIELD,
            header.map_or(anchor, |header| header.span),
            format!("{table}.{name}"),
            format!("strategy `{table}` needs `{name}` in `[{table}]`"),
            "without it the strategy has nowhere to remember what is done",
            format!("write {help} in `[{table}]`"),
        );
    }
}
