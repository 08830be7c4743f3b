//! All of a wrapper behind its delivery: the claim, the handler's turns, the answer.
//!
//! The wrapper is no `async fn`: it hands its handler over, as the function that the user wrote with
//! the arguments beside it, and returns the future made here. The compiler looks at that future once,
//! in this crate, and not in every crate that has a handler.

use super::call::{Turn, call};
use super::codec::Codec;
use super::delivery::Delivery;
use crate::{Error, Outcome, TransactionalStore};

/// One function for every number of arguments behind the transaction: Rust has no type for them all.
macro_rules! handled {
    ($($again:ident $once:ident $again_on:ident $once_on:ident ($($arg:ident: $Arg:ident),*);)*) => {$(
        /// Handles a delivery; the handler takes its turn again when its transaction lost against a
        /// concurrent one.
        ///
        /// **Cancel safety**: a dropped future either committed or left nothing behind.
        #[allow(clippy::too_many_arguments, reason = "as many as the handler has")]
        pub async fn $again<S, R, E, F, $($Arg),*>(
            store: &S,
            delivery: Delivery,
            codec: Codec<R, E>,
            mut handler: F,
            $($arg: $Arg),*
        ) -> Result<Outcome<R>, Error<E>>
        where
            S: TransactionalStore,
            F: AsyncFnMut(&mut S::Tx, $($Arg),*) -> Result<R, E>,
            $($Arg: Copy,)*
        {
            let mut call = call(store, delivery, codec);
            while let Some(Turn { tx, guard }) = call.next().await {
                guard.drive(handler(tx, $($arg),*)).await;
            }
            call.answer()
        }

        /// The same for arguments that are gone after the handler's first turn, which is its only one.
        ///
        /// **Cancel safety**: a dropped future either committed or left nothing behind.
        #[allow(clippy::too_many_arguments, reason = "as many as the handler has")]
        pub async fn $once<S, R, E, F, $($Arg),*>(
            store: &S,
            delivery: Delivery,
            codec: Codec<R, E>,
            handler: F,
            $($arg: $Arg),*
        ) -> Result<Outcome<R>, Error<E>>
        where
            S: TransactionalStore,
            F: AsyncFnOnce(&mut S::Tx, $($Arg),*) -> Result<R, E>,
        {
            let mut call = call(store, delivery, codec);
            if let Some(Turn { tx, guard }) = call.next().await {
                guard.drive(handler(tx, $($arg),*)).await;
            }
            call.settled().await
        }

        /// As for a function; the receiver stands in front of the transaction.
        ///
        /// **Cancel safety**: a dropped future either committed or left nothing behind.
        #[allow(clippy::too_many_arguments, reason = "as many as the handler has")]
        pub async fn $again_on<S, R, E, F, This, $($Arg),*>(
            store: &S,
            delivery: Delivery,
            codec: Codec<R, E>,
            mut handler: F,
            this: This,
            $($arg: $Arg),*
        ) -> Result<Outcome<R>, Error<E>>
        where
            S: TransactionalStore,
            F: AsyncFnMut(This, &mut S::Tx, $($Arg),*) -> Result<R, E>,
            This: Copy,
            $($Arg: Copy,)*
        {
            let mut call = call(store, delivery, codec);
            while let Some(Turn { tx, guard }) = call.next().await {
                guard.drive(handler(this, tx, $($arg),*)).await;
            }
            call.answer()
        }

        /// As for a function whose arguments are gone; the receiver stands in front of the transaction.
        ///
        /// **Cancel safety**: a dropped future either committed or left nothing behind.
        #[allow(clippy::too_many_arguments, reason = "as many as the handler has")]
        pub async fn $once_on<S, R, E, F, This, $($Arg),*>(
            store: &S,
            delivery: Delivery,
            codec: Codec<R, E>,
            handler: F,
            this: This,
            $($arg: $Arg),*
        ) -> Result<Outcome<R>, Error<E>>
        where
            S: TransactionalStore,
            F: AsyncFnOnce(This, &mut S::Tx, $($Arg),*) -> Result<R, E>,
        {
            let mut call = call(store, delivery, codec);
            if let Some(Turn { tx, guard }) = call.next().await {
                guard.drive(handler(this, tx, $($arg),*)).await;
            }
            call.settled().await
        }
    )*};
}

handled! {
    again_0 once_0 again_on_0 once_on_0 ();
    again_1 once_1 again_on_1 once_on_1 (a: A);
    again_2 once_2 again_on_2 once_on_2 (a: A, b: B);
    again_3 once_3 again_on_3 once_on_3 (a: A, b: B, c: C);
    again_4 once_4 again_on_4 once_on_4 (a: A, b: B, c: C, d: D);
    again_5 once_5 again_on_5 once_on_5 (a: A, b: B, c: C, d: D, e: E5);
    again_6 once_6 again_on_6 once_on_6 (a: A, b: B, c: C, d: D, e: E5, f: F6);
    again_7 once_7 again_on_7 once_on_7 (a: A, b: B, c: C, d: D, e: E5, f: F6, g: G);
}
