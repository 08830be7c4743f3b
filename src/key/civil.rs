//! Civil dates may be parts; instants, date-times and lengths of time may not.
//!
//! A date that names the occasion ("the invoice run of 2026-03-01") is the same on every attempt.
//! A date taken from the clock has the same type; the contract's `origin` and the purity proof tell
//! them apart.

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
use super::{
    class::{Clock, Known, Span, Stable},
    part::{KeyPart, Parts},
};

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
macro_rules! class {
    ($class:ident: $([$($generics:tt)*] $ty:ty),* $(,)?) => {$(
        impl<$($generics)*> Known for $ty {
            type Class = $class;
        }
    )*};
}

#[cfg(feature = "chrono")]
mod chrono_types {
    use super::*;
    use chrono::Datelike as _;

    class!(Stable: [] chrono::NaiveDate);
    class!(Clock:
        [Tz: chrono::TimeZone] chrono::DateTime<Tz>,
        [] chrono::NaiveDateTime,
        [] chrono::NaiveTime,
    );
    class!(Span: [] chrono::TimeDelta);

    impl KeyPart for chrono::NaiveDate {
        fn encode(&self, parts: &mut Parts) {
            // Months and days of a valid date fit a byte.
            parts.date(self.year(), self.month() as u8, self.day() as u8);
        }
    }
}

#[cfg(feature = "time")]
mod time_types {
    use super::*;

    class!(Stable: [] time::Date);
    class!(Clock:
        [] time::OffsetDateTime,
        [] time::PrimitiveDateTime,
        [] time::UtcDateTime,
        [] time::Time,
    );
    class!(Span: [] time::Duration);

    impl KeyPart for time::Date {
        fn encode(&self, parts: &mut Parts) {
            parts.date(self.year(), u8::from(self.month()), self.day());
        }
    }
}

#[cfg(feature = "jiff")]
mod jiff_types {
    use super::*;

    class!(Stable: [] jiff::civil::Date);
    class!(Clock:
        [] jiff::Timestamp,
        [] jiff::ZonedDateTime,
        [] jiff::civil::DateTime,
        [] jiff::civil::Time,
    );
    class!(Span: [] jiff::Span, [] jiff::SignedDuration);

    impl KeyPart for jiff::civil::Date {
        fn encode(&self, parts: &mut Parts) {
            // Months and days of a valid date are positive.
            parts.date(
                i32::from(self.year()),
                self.month().unsigned_abs(),
                self.day().unsigned_abs(),
            );
        }
    }
}
