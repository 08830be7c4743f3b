//! Where the workflow is described: in its contract, or in the attribute itself.

use std::sync::Arc;

use idem_contract::{Contract, Group, Strategy};
use proc_macro2::Span;
use syn::Path;

use crate::args::Args;
use crate::contracts::{Contracts, Include, Loaded, Trouble};
use crate::near::list;
use crate::report::{At, Refusal, Report};
use crate::workflow::Policy;

/// What describes the workflow.
#[derive(Debug)]
pub(crate) struct Source {
    kind: Kind,
    /// The name of contract or workflow in the attribute.
    span: Span,
}

#[derive(Debug)]
enum Kind {
    /// A contract that was found, with or without mistakes.
    Contract(Arc<Loaded>),
    /// A contract was named and cannot be read; that is said.
    NoContract,
    /// The attribute's own arguments.
    Attribute,
}

impl Source {
    pub(crate) fn read(args: &Args, contracts: &Contracts, report: &mut Report) -> Self {
        if let Some(name) = &args.contract {
            only_in_the_contract(args, report);
            let kind = match contracts.load(&name.value) {
                Ok(loaded) => {
                    report.extend(trouble_inside(&loaded, name.span));
                    Kind::Contract(loaded)
                }
                Err(trouble) => {
                    report.add(cannot_load(&name.value, trouble, name.span));
                    Kind::NoContract
                }
            };
            return Self {
                kind,
                span: name.span,
            };
        }
        if args.may_mean("contract") && args.workflow.is_none() {
            return Self {
                kind: Kind::NoContract,
                span: Span::call_site(),
            };
        }
        missing(args, report);
        Self {
            kind: Kind::Attribute,
            span: args
                .workflow
                .as_ref()
                .map_or_else(Span::call_site, |workflow| workflow.span),
        }
    }

    pub(crate) fn contract(&self) -> Option<&Contract> {
        self.loaded().map(|loaded| &loaded.contract)
    }

    fn loaded(&self) -> Option<&Loaded> {
        match &self.kind {
            Kind::Contract(loaded) => Some(loaded),
            Kind::NoContract | Kind::Attribute => None,
        }
    }

    /// Whether a contract was named, found or not.
    pub(crate) fn is_contract(&self) -> bool {
        !matches!(self.kind, Kind::Attribute)
    }

    /// Whether the contract's own key is without mistakes.
    pub(crate) fn is_sound(&self) -> bool {
        self.loaded()
            .is_none_or(|loaded| loaded.errors.iter().all(|error| error.group != Group::Key))
    }

    pub(crate) const fn span(&self) -> Span {
        self.span
    }

    /// The contract's path, as messages show it.
    pub(crate) fn shown(&self) -> &str {
        self.loaded().map_or("the contract", |loaded| &loaded.shown)
    }

    pub(crate) fn include(&self) -> Option<&Include> {
        self.loaded().map(|loaded| &loaded.include)
    }

    /// What the runtime is told. Where the description is refused nothing of this will ever run,
    /// and a bare workflow stands in, so that the rest of the expansion is still checked.
    pub(crate) fn policy(&self, args: &Args, krate: &Path) -> Policy {
        let policy = match &self.kind {
            Kind::Contract(loaded) => Policy::of_contract(loaded, args, krate),
            Kind::NoContract => None,
            Kind::Attribute => Policy::of_args(args),
        };
        policy.unwrap_or_else(Policy::refused)
    }
}

/// Lease, window and the like stand in one place.
fn only_in_the_contract(args: &Args, report: &mut Report) {
    let given = [
        (
            "workflow",
            args.workflow.as_ref().map(|given| given.name),
            "[workflow]",
        ),
        (
            "version",
            args.version.as_ref().map(|given| given.name),
            "version",
        ),
        (
            "lease",
            args.lease.as_ref().map(|given| given.name),
            "lease",
        ),
        (
            "window",
            args.window.as_ref().map(|given| given.name),
            "window",
        ),
        (
            "max_attempts",
            args.max_attempts.as_ref().map(|given| given.name),
            "max_attempts",
        ),
        ("mode", args.mode.as_ref().map(|given| given.name), "mode"),
        ("hash", args.hash.as_ref().map(|given| given.name), "hash"),
    ];
    for (name, span, _) in given {
        if let Some(span) = span {
            report.add(
                Refusal::new(
                    At::span(span),
                    format!("`{name}` is given beside a contract"),
                    "the contract says it already, and two answers to one question drift apart",
                    format!("leave `{name}` out; to change it, change the contract"),
                )
                .by("attribute-disagrees"),
            );
        }
    }
}

/// What a workflow without a contract must say itself.
fn missing(args: &Args, report: &mut Report) {
    const CONTRACT: &str = "or name a contract: `contract = \"…\"`";
    if args.workflow.is_none() && !args.may_mean("workflow") {
        report.add(
            Refusal::new(
                At::span(Span::call_site()),
                "`#[idempotent]` names no contract",
                "the contract says what makes two deliveries the same operation",
                "write `contract = \"refund-order\"` for `contracts/refund-order.toml` (`idem new refund-order` writes one)",
            )
            .by("missing-field"),
        );
        return;
    }
    let at = At::span(
        args.workflow
            .as_ref()
            .map_or_else(Span::call_site, |given| given.name),
    );
    let needed = [
        (
            "key",
            args.key.is_some(),
            "no-key",
            "without a key every delivery is new work",
            "write `key = (event.tenant_id, event.refund_id)`",
        ),
        (
            "lease",
            args.lease.is_some(),
            "missing-lease",
            "an attempt that dies keeps its key: no one knows when another may take it over",
            "write `lease = \"30s\"`",
        ),
        (
            "window",
            args.window.is_some(),
            "missing-window",
            "a key that is forgotten before the last redelivery lets the effect happen twice",
            "write `window = \"30d\"`",
        ),
        (
            "max_attempts",
            args.max_attempts.is_some(),
            "unbounded-attempts",
            "a message that always fails would be tried for ever",
            "write `max_attempts = 5`",
        ),
    ];
    for (name, given, rule, why, help) in needed {
        if !given && !args.may_mean(name) {
            report.add(
                Refusal::new(
                    at,
                    format!("a workflow without a contract says its `{name}` itself"),
                    why,
                    format!("{help}, {CONTRACT}"),
                )
                .by(rule),
            );
        }
    }
}

pub(crate) fn cannot_load(name: &str, trouble: Trouble, span: Span) -> Refusal {
    let at = At::span(span);
    match trouble {
        Trouble::NotAName => Refusal::new(
            at,
            format!("`{name}` is not the name of a contract"),
            "a contract is named by its workflow, not by its path",
            "write `contract = \"refund-order\"` for `contracts/refund-order.toml`",
        )
        .by("invalid-value"),
        Trouble::Missing { searched, near } => {
            let folders: Vec<String> = searched
                .iter()
                .map(|folder| folder.join("contracts").display().to_string())
                .collect();
            let near = near.map_or_else(String::new, |near| {
                format!("write `contract = \"{near}\"`, or ")
            });
            Refusal::new(
                at,
                format!("there is no contract `{name}`"),
                format!(
                    "no `{name}.toml` in {}",
                    list(folders.iter().map(String::as_str))
                ),
                format!("{near}write the contract first: `idem new {name}`"),
            )
            .by("unreadable-file")
        }
        Trouble::Unreadable { path, error } => Refusal::new(
            at,
            format!("the contract `{name}` cannot be read"),
            format!("`{}`: {error}", path.display()),
            "make the file readable for the user who compiles",
        )
        .by("unreadable-file"),
    }
}

/// What keeps a contract that was read from being used.
fn trouble_inside(loaded: &Loaded, span: Span) -> Vec<Refusal> {
    let at = At::span(span);
    let shown = &loaded.shown;
    if !loaded.errors.is_empty() {
        return vec![findings(loaded, at)];
    }
    let contract = &loaded.contract;
    let mut refusals = Vec::new();
    if contract.strategy() != Strategy::Table {
        let strategy = contract.strategy().as_str();
        refusals.push(Refusal::new(
            at,
            format!("{shown} has the strategy `{strategy}`, and the attribute serves `table` alone so far"),
            "with another strategy the memory of an operation lives elsewhere than in the table that the wrapper claims in",
            "write `strategy = \"table\"`",
        ));
    }
    if contract.ordering.header.is_some() {
        refusals.push(Refusal::new(
            at,
            format!("{shown} has `[ordering]`, and the wrapper does not check versions yet"),
            "an old event that comes late would overwrite a newer one, although the contract says that it cannot",
            "compare versions in the handler's own statement, or make the effect an `insert`, and leave `[ordering]` out",
        ));
    }
    refusals
}

/// The first few findings, each with its place.
pub(crate) fn findings(loaded: &Loaded, at: At) -> Refusal {
    const SHOWN: usize = 5;
    let Loaded { errors, shown, .. } = loaded;
    let count = match errors.len() {
        1 => "an error".to_owned(),
        count => format!("{count} errors"),
    };
    let mut message = format!("{shown} has {count} that its handler depends on");
    for error in errors.iter().take(SHOWN) {
        message.push_str(&format!(
            "\n{shown}:{}:{}: {} [{}]",
            error.line, error.column, error.message, error.rule
        ));
    }
    if errors.len() > SHOWN {
        message.push_str(&format!("\nand {} more", errors.len() - SHOWN));
    }
    Refusal::new(at, message, "", format!("run `idem lint {shown}`"))
}
