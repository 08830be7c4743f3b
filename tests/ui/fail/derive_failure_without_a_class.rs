//! Every variant says what it means for a retry.
#![allow(unused)]

use idem::Failure;

#[derive(Debug, Failure)]
enum RefundError {
    NotPaid,
    #[failure(fnal)]
    Declined,
    #[failure]
    Lost,
    #[failure(final)]
    #[failure(no_effect)]
    Twice,
    #[failure(transparent)]
    Store { cause: std::io::Error, at: u64 },
}

#[derive(Debug, Failure)]
struct Refused;

fn main() {}
