//! `idem explain`: one rule's page.

use idem_contract::rules;

use crate::Exit;
use crate::console::Console;
use crate::problem::Problems;
use crate::selection::rule;

/// Shows a rule's page: what it does, why it hurts, a bad and a good example
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The rule, such as `clock-in-key`; or a compiler error that idem is behind (`E0015`)
    rule: String,
}

/// What rustc says where the third layer of the key check refuses a call.
const NOT_CONST: &str = "E0015";

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Exit, Problems> {
    let id = if args.rule.eq_ignore_ascii_case(NOT_CONST) {
        "impure-key"
    } else {
        args.rule.as_str()
    };
    let page = rules::page(rule(id)?);
    console.out.write_all(page.as_bytes())?;
    Ok(Exit::Fine)
}
