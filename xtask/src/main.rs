//! The entry point.

fn main() {}
