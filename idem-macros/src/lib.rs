//! `#[idempotent]` and the derives of idem.

use std::path::PathBuf;

use idem_codegen::Contracts;
use proc_macro::{Span, TokenStream};

/// Wraps a handler in claim and commit: one key, one effect.
#[proc_macro_attribute]
pub fn idempotent(args: TokenStream, item: TokenStream) -> TokenStream {
    idem_codegen::expand(args.into(), item.into(), &contracts()).into()
}

/// Makes a struct, a newtype or an enum without data a part of keys.
#[proc_macro_derive(KeyPart, attributes(key_part))]
pub fn key_part(item: TokenStream) -> TokenStream {
    idem_codegen::derive("KeyPart", item.into(), &contracts()).into()
}

/// Says what each failure of a handler means for a retry.
#[proc_macro_derive(Failure, attributes(failure))]
pub fn failure(item: TokenStream) -> TokenStream {
    idem_codegen::derive("Failure", item.into(), &contracts()).into()
}

/// Looks at a payload: defaults that make values up, and what the contract says of each field.
#[proc_macro_derive(Event, attributes(event))]
pub fn event(item: TokenStream) -> TokenStream {
    idem_codegen::derive("Event", item.into(), &contracts()).into()
}

/// The contracts of the package that is being compiled.
fn contracts() -> Contracts {
    let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    Contracts::in_dir(manifest_dir.unwrap_or_default()).or_beside(Span::call_site().local_file())
}
