//! `idem schema`: the format of a contract, for editors.

use idem_contract::schema;

use crate::Exit;
use crate::console::Console;
use crate::problem::Problems;

/// Prints the JSON Schema of the contract
///
/// `idem schema > contracts/contract.schema.json` puts it where a contract's first line looks for it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(super) fn run(Args {}: &Args, console: &mut Console) -> Result<Exit, Problems> {
    console.out.write_all(schema().as_bytes())?;
    Ok(Exit::Fine)
}
