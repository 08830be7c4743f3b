//! Types whose values do not tell operations apart.
#![allow(unused)]

use idem::KeyPart;

#[derive(KeyPart)]
struct Nothing;

#[derive(KeyPart)]
enum Action { Open, Close(u64) }

#[derive(KeyPart)]
enum Never {}

#[derive(KeyPart)]
union Bits { a: u32, b: f32 }

fn main() {}
