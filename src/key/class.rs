//! What a type is, when it stands in a key.
//!
//! Every known type names its class. [`part`](super::part) asks the class, one bound each, whether
//! it is *not* a clock, *not* a position and so on; each bound has its own words. An unknown type
//! fails the first bound alone, so a part has one message.

use super::part::{KeyPart, Parts};

/// A type whose class is known: whether it may be a part of a key, and if not, why not.
///
/// Derived for structs, newtypes and field-less enums by `#[derive(idem::KeyPart)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of an idempotency key",
    label = "not a key part",
    note = "a part needs one exact text for one value, the same on every attempt: strings, fixed-width integers, `bool`, UUIDs, byte arrays, civil dates, decimals, and what is made of them",
    note = "write a field of the event that identifies the operation instead; a type of your own whose fields identify it takes `#[derive(idem::KeyPart)]`, a foreign type goes in by its `as_str()` or one of its fields"
)]
pub trait Known {
    /// The class: [`Stable`] for what may be a part, another for what may not.
    type Class;
}

macro_rules! classes {
    ($( $(#[$class_doc:meta])* $class:ident refused by $not:ident {
        message = $message:literal, label = $label:literal, why = $why:literal, instead = $instead:literal, $(rule = $rule:literal,)?
        not for [$($other:ident),*]
    })*) => {$(
        $(#[$class_doc])*
        #[derive(Debug)]
        pub enum $class {}

        #[doc = concat!("A class that is not [`", stringify!($class), "`]; `T` is the type it is the class of.")]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $why, note = $instead $(, note = $rule)?)]
        pub trait $not<T: ?Sized> {}

        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> $not<T> for Stable {}
        $(
            #[diagnostic::do_not_recommend]
            impl<T: ?Sized> $not<T> for $other {}
        )*

        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> Writes<T> for $class {
            fn write(_: &T, parts: &mut Parts) {
                parts.unstable();
            }
        }
    )*};
}

/// The class of what may be a part of a key.
#[derive(Debug)]
pub enum Stable {}

/// How a class puts a value of `T` into a key. Refused classes refuse at run time too, so that no
/// road around the bounds ends in a key.
#[diagnostic::on_unimplemented(
    message = "`{T}` has a stable class but does not implement `KeyPart`",
    label = "no text for this part",
    note = "put `#[derive(idem::KeyPart)]` on `{T}`; it writes both implementations"
)]
pub trait Writes<T: ?Sized> {
    /// Adds the value's text.
    #[doc(hidden)]
    fn write(value: &T, parts: &mut Parts);
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart + ?Sized> Writes<T> for Stable {
    fn write(value: &T, parts: &mut Parts) {
        value.encode(parts);
    }
}

classes! {
    /// A moment: read from a clock, or taken from one.
    Clock refused by NotClock {
        message = "a time cannot be a part of an idempotency key, and `{T}` is one",
        label = "a moment in time",
        why = "two attempts of one operation happen at different times, so no retry would ever find the first attempt",
        instead = "write the identifier that the source assigned to the event instead; where there is none, store an intent id when the user starts the action",
        rule = "rule `clock-in-key`: `idem explain clock-in-key`",
        not for [Position, Float, Absent, Unordered, List, Span]
    }
    /// An index, a length, a count.
    Position refused by NotPosition {
        message = "a position cannot be a part of an idempotency key, and `{T}` is the type of positions",
        label = "an index, a length or a count",
        why = "a retry that carries only some of the items shifts every index onto another item's key",
        instead = "write the item's own identifier instead; a number that identifies something is a `u64` or `i64`",
        rule = "rule `position-in-key`: `idem explain position-in-key`",
        not for [Clock, Float, Absent, Unordered, List, Span]
    }
    /// A number without one exact text.
    Float refused by NotFloat {
        message = "a floating-point number cannot be a part of an idempotency key, and `{T}` is one",
        label = "no exact text",
        why = "the same amount can be written with different digits by different programs, so equal requests get different keys",
        instead = "write the amount in minor units as an integer, or a decimal, instead; better still, the identifier of the action",
        rule = "rule `float-in-key`: `idem explain float-in-key`",
        not for [Clock, Position, Absent, Unordered, List, Span]
    }
    /// A value that may not be there.
    Absent refused by NotAbsent {
        message = "a part that may be absent cannot be in an idempotency key, and `{T}` may be",
        label = "may be absent",
        why = "all events without it would share one key, and all but the first would be dropped as duplicates",
        instead = "refuse the event before the handler when it is missing, and pass the value itself; never a default in its place",
        rule = "rule `optional-key-part`: `idem explain optional-key-part`",
        not for [Clock, Position, Float, Unordered, List, Span]
    }
    /// A map or a set.
    Unordered refused by NotUnordered {
        message = "a map or set cannot be a part of an idempotency key, and `{T}` is one",
        label = "a collection, not an identifier",
        why = "hash maps iterate in another order in each process, and content as a whole changes with every added member",
        instead = "write the members that identify the operation as parts of their own instead",
        not for [Clock, Position, Float, Absent, List, Span]
    }
    /// A list or slice.
    List refused by NotList {
        message = "a list cannot be a part of an idempotency key, and `{T}` is one",
        label = "a list, not an identifier",
        why = "a retry may carry fewer items or another order, and then has another key",
        instead = "call the handler once for each item and write the item's identifier instead; for opaque bytes, `idem::key::sha256(text)` of a text that the contract declares stable",
        not for [Clock, Position, Float, Absent, Unordered, Span]
    }
    /// A length of time.
    Span refused by NotSpan {
        message = "a duration cannot be a part of an idempotency key, and `{T}` is one",
        label = "a length of time",
        why = "a measured duration differs on every attempt, and a configured one says nothing about the event",
        instead = "write the identifier that the source assigned to the event instead",
        rule = "rule `clock-in-key`: `idem explain clock-in-key`",
        not for [Clock, Position, Float, Absent, Unordered, List]
    }
}

macro_rules! known {
    ($class:ident: $($(#[$cfg:meta])* [$($generics:tt)*] $ty:ty),* $(,)?) => {$(
        $(#[$cfg])*
        impl<$($generics)*> Known for $ty {
            type Class = $class;
        }
    )*};
}

known!(Position: [] usize, [] isize);
known!(Float: [] f32, [] f64);
known!(Absent: [T] Option<T>);
known!(Unordered:
    [K, V, S] std::collections::HashMap<K, V, S>,
    [K, V] std::collections::BTreeMap<K, V>,
    [T, S] std::collections::HashSet<T, S>,
    [T] std::collections::BTreeSet<T>,
);
known!(List: [T] Vec<T>, [T] [T], [T] std::collections::VecDeque<T>);
known!(Clock: [] std::time::SystemTime, [] std::time::Instant);
known!(Span: [] std::time::Duration);
