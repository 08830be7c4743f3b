//! The contract, lowered to constants.

use idem_contract::{BusyPolicy, Contract, Keep, Mode, Outage, Window};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Path;

use crate::args::{self, Args};
use crate::contracts::Loaded;
use crate::effects;

/// What the runtime is told of a workflow: a literal of its terms, the usual ones left out.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    /// `lease_ms: 30000,` and so on.
    terms: TokenStream,
}

impl Policy {
    /// From a contract without errors; `None` where it states no name or version.
    pub(crate) fn of_contract(loaded: &Loaded, args: &Args, krate: &Path) -> Option<Self> {
        let span = Span::mixed_site();
        let contract = &loaded.contract;
        let mut policy = Self::default();
        policy.name(contract.workflow.get()?, *contract.version.get()?);
        if let Some(consumer) = contract.trigger.consumer.get() {
            policy.some("consumer", consumer);
        }
        let digest = Literal::byte_string(&loaded.digest);
        policy.some("digest", quote_spanned!(span=> *#digest));
        if contract.mode() == Mode::Leased {
            policy.flag("leased");
        }
        policy.claim(contract);
        if contract.response.keep.or(Keep::Full) == Keep::Tombstone {
            policy.flag("tombstone");
        }
        if let Some(bytes) = contract.response.max_bytes.get() {
            policy.some("max_response_bytes", Literal::u64_unsuffixed(*bytes));
        }
        if let Some(fields) = contract.response.redact.get() {
            // `result.` is implied, and may be written.
            let fields = fields.iter().map(|field| {
                let name: &str = &field.value;
                name.strip_prefix("result.").unwrap_or(name)
            });
            policy.term("redact", quote_spanned!(span=> &[#(#fields),*]));
        }
        if let Some(effects) = effects::lowered(contract, krate) {
            policy.term("effects", effects);
        }
        policy.response_version(args);
        if let (Some(owner), Some(channel)) = (
            contract.dead_letter.owner.get(),
            contract.dead_letter.channel.get(),
        ) {
            policy.some("dead_letter", quote_spanned!(span=> (#owner, #channel)));
            if let Some(deadline) = contract.dead_letter.deadline.get() {
                let deadline = Literal::u64_unsuffixed(millis(*deadline));
                policy.some("dead_letter_within_ms", deadline);
            }
        }
        let cleanup = &contract.cleanup;
        if let (Some(every), Some(batch)) = (cleanup.every.get(), cleanup.batch.get()) {
            let every = Literal::u64_unsuffixed(millis(*every));
            let batch = Literal::u32_unsuffixed(*batch);
            policy.some("cleanup", quote_spanned!(span=> (#every, #batch)));
        }
        Some(policy)
    }

    /// From an attribute that states its own.
    pub(crate) fn of_args(args: &Args) -> Option<Self> {
        let mut policy = Self::default();
        let version = args.version.as_ref().map_or(1, |version| version.value);
        policy.name(&args.workflow.as_ref()?.value, version);
        let mode = args.mode.as_ref().map(|mode| mode.value);
        if mode == Some(args::Mode::Leased) {
            policy.flag("leased");
        }
        policy.number("lease_ms", args.lease.as_ref()?.value);
        match args.window.as_ref()?.value {
            args::Forget::After(ms) => policy.some("window_ms", Literal::u64_unsuffixed(ms)),
            args::Forget::Never => policy.none("window_ms"),
        }
        policy.number("max_attempts", args.max_attempts.as_ref()?.value.into());
        policy.response_version(args);
        Some(policy)
    }

    /// For what is refused and never runs.
    pub(crate) fn refused() -> Self {
        let mut policy = Self::default();
        policy.name("refused", 1);
        policy
    }

    fn claim(&mut self, contract: &Contract) {
        let claim = &contract.claim;
        if let Some(lease) = claim.lease.get() {
            self.number("lease_ms", millis(*lease));
        }
        match claim.window.get() {
            Some(Window::For(window)) => {
                self.some("window_ms", Literal::u64_unsuffixed(millis(*window)));
            }
            Some(Window::Forever) => self.none("window_ms"),
            None => {}
        }
        if let Some(attempts) = claim.max_attempts.get() {
            self.number("max_attempts", (*attempts).into());
        }
        if claim.heartbeat.or(false) {
            self.flag("heartbeat");
        }
        match claim.busy.get() {
            Some(BusyPolicy::Wait(Some(bound))) => {
                self.some("busy_wait_ms", Literal::u64_unsuffixed(millis(*bound)));
            }
            Some(BusyPolicy::Wait(None) | BusyPolicy::Reject) | None => {}
        }
        if claim.outage.or(Outage::Closed) == Outage::Open {
            self.flag("outage_open");
        }
    }

    fn response_version(&mut self, args: &Args) {
        if let Some(version) = &args.response_version {
            self.number("response_version", version.value.into());
        }
    }

    fn name(&mut self, name: &str, version: u32) {
        self.term("name", name);
        self.number("version", version.into());
    }

    fn number(&mut self, name: &str, value: u64) {
        self.term(name, Literal::u64_unsuffixed(value));
    }

    fn flag(&mut self, name: &str) {
        self.term(name, true);
    }

    fn none(&mut self, name: &str) {
        let none = quote_spanned!(Span::mixed_site()=> ::core::option::Option::None);
        self.term(name, none);
    }

    fn some(&mut self, name: &str, value: impl ToTokens) {
        let some = quote_spanned!(Span::mixed_site()=> ::core::option::Option::Some(#value));
        self.term(name, some);
    }

    fn term(&mut self, name: &str, value: impl ToTokens) {
        let name = Ident::new(name, Span::mixed_site());
        self.terms
            .extend(quote_spanned!(Span::mixed_site()=> #name: #value,));
    }

    /// The `static` that the expansion hands to the runtime.
    pub(crate) fn to_static(&self, krate: &Path) -> TokenStream {
        let terms = &self.terms;
        quote_spanned! {Span::mixed_site()=>
            static __WORKFLOW: #krate::Workflow = #krate::__private::workflow(#krate::__private::Terms {
                #terms
                ..#krate::__private::Terms::USUAL
            });
        }
    }
}

/// Whole milliseconds; what a contract can state fits.
pub(crate) fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
