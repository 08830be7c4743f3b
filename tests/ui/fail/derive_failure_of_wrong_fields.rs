//! A final failure is stored; a transparent one is the store's.
#![allow(unused)]

use idem::Failure;

#[derive(Debug)]
struct Reason;

#[derive(Debug, Failure)]
enum RefundError {
    #[failure(final)]
    Declined(Reason, u64),
    #[failure(transparent)]
    Store(Reason),
    #[failure(no_effect)]
    Down(Reason),
}

fn main() {}
