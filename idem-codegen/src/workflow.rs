//! The contract, lowered to constants.

use idem_contract::{BusyPolicy, Contract, Keep, Mode, Outage, Window};
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::Path;

use crate::args::{self, Args};
use crate::contracts::Loaded;

/// What the runtime is told of a workflow: `Workflow::new(…).lease_ms(…)…`.
#[derive(Debug)]
pub(crate) struct Policy {
    name: String,
    version: u32,
    /// The builder's calls behind `new`, in its own order.
    calls: Vec<TokenStream>,
}

impl Policy {
    /// From a contract without errors; `None` where it states no name or version.
    pub(crate) fn of_contract(loaded: &Loaded, args: &Args, krate: &Path) -> Option<Self> {
        let contract = &loaded.contract;
        let span = Span::mixed_site();
        let name = contract.workflow.get()?.clone();
        let version = *contract.version.get()?;
        let mut policy = Self {
            name,
            version,
            calls: Vec::new(),
        };
        if let Some(consumer) = contract.trigger.consumer.get() {
            policy.call(quote_spanned!(span=> .consumer(#consumer)));
        }
        let digest = &loaded.digest;
        policy.call(quote_spanned!(span=> .digest(#digest)));
        policy.mode(contract.mode() == Mode::Leased, krate);
        policy.claim(contract);
        policy.response(contract);
        policy.response_version(args);
        if let (Some(owner), Some(channel)) = (
            contract.dead_letter.owner.get(),
            contract.dead_letter.channel.get(),
        ) {
            policy.call(quote_spanned!(span=> .dead_letter(#owner, #channel)));
        }
        Some(policy)
    }

    /// From an attribute that states its own.
    pub(crate) fn of_args(args: &Args, krate: &Path) -> Option<Self> {
        let span = Span::mixed_site();
        let mut policy = Self {
            name: args.workflow.as_ref()?.value.clone(),
            version: args.version.as_ref().map_or(1, |version| version.value),
            calls: Vec::new(),
        };
        let leased = args
            .mode
            .as_ref()
            .is_some_and(|mode| mode.value == args::Mode::Leased);
        policy.mode(leased, krate);
        let lease = Literal::u64_unsuffixed(args.lease.as_ref()?.value);
        policy.call(quote_spanned!(span=> .lease_ms(#lease)));
        policy.call(match args.window.as_ref()?.value {
            args::Forget::After(ms) => {
                let ms = Literal::u64_unsuffixed(ms);
                quote_spanned!(span=> .window_ms(#ms))
            }
            args::Forget::Never => quote_spanned!(span=> .window_forever()),
        });
        let attempts = Literal::u32_unsuffixed(args.max_attempts.as_ref()?.value);
        policy.call(quote_spanned!(span=> .max_attempts(#attempts)));
        policy.response_version(args);
        Some(policy)
    }

    /// For what is refused and never runs.
    pub(crate) fn refused() -> Self {
        Self {
            name: "refused".to_owned(),
            version: 1,
            calls: Vec::new(),
        }
    }

    fn call(&mut self, call: TokenStream) {
        self.calls.push(call);
    }

    fn mode(&mut self, leased: bool, krate: &Path) {
        let span = Span::mixed_site();
        if leased {
            self.call(quote_spanned!(span=> .mode(#krate::Mode::Leased)));
        }
    }

    fn claim(&mut self, contract: &Contract) {
        let span = Span::mixed_site();
        let claim = &contract.claim;
        if let Some(lease) = claim.lease.get() {
            let ms = millis(*lease);
            self.call(quote_spanned!(span=> .lease_ms(#ms)));
        }
        match claim.window.get() {
            Some(Window::For(window)) => {
                let ms = millis(*window);
                self.call(quote_spanned!(span=> .window_ms(#ms)));
            }
            Some(Window::Forever) => self.call(quote_spanned!(span=> .window_forever())),
            None => {}
        }
        if let Some(attempts) = claim.max_attempts.get() {
            let attempts = Literal::u32_unsuffixed(*attempts);
            self.call(quote_spanned!(span=> .max_attempts(#attempts)));
        }
        if claim.heartbeat.or(false) {
            self.call(quote_spanned!(span=> .heartbeat()));
        }
        match claim.busy.get() {
            Some(BusyPolicy::Wait(Some(bound))) => {
                let ms = millis(*bound);
                self.call(quote_spanned!(span=> .busy_wait_ms(#ms)));
            }
            Some(BusyPolicy::Wait(None) | BusyPolicy::Reject) | None => {}
        }
        if claim.outage.or(Outage::Closed) == Outage::Open {
            self.call(quote_spanned!(span=> .outage_open()));
        }
    }

    fn response(&mut self, contract: &Contract) {
        let span = Span::mixed_site();
        let response = &contract.response;
        if response.keep.or(Keep::Full) == Keep::Tombstone {
            self.call(quote_spanned!(span=> .keep_tombstone()));
        }
        if let Some(bytes) = response.max_bytes.get() {
            let bytes = Literal::u64_unsuffixed(*bytes);
            self.call(quote_spanned!(span=> .max_response_bytes(#bytes)));
        }
    }

    fn response_version(&mut self, args: &Args) {
        let span = Span::mixed_site();
        if let Some(version) = &args.response_version {
            let version = Literal::u32_unsuffixed(version.value);
            self.call(quote_spanned!(span=> .response_version(#version)));
        }
    }

    /// The `static` that the expansion hands to the runtime.
    pub(crate) fn to_static(&self, krate: &Path) -> TokenStream {
        let Self {
            name,
            version,
            calls,
        } = self;
        let version = Literal::u32_unsuffixed(*version);
        quote_spanned! {Span::mixed_site()=>
            static __WORKFLOW: #krate::Workflow = #krate::Workflow::new(#name, #version) #(#calls)*;
        }
    }
}

/// Whole milliseconds; what a contract can state fits.
fn millis(duration: std::time::Duration) -> Literal {
    Literal::u64_unsuffixed(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
