//! The statements with their values, as the driver takes them.

use std::fmt::Write as _;

use idem_templates::sql::{Numbered, mysql as files};
use sha2::{Digest, Sha256};
use sqlx::mysql::MySqlArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, MySql, SqlSafeStr as _, SqlStr};

use crate::claim::Claim;
use crate::store::Request;
use crate::store::sql::statement::{Files, Statement, Value};
use crate::{Key, Mode};

/// The beginning of a fused claim. The name of the key's lock holds the key's digest, because names are
/// short and fold case.
pub(super) fn begin_fused(key: &Key) -> SqlStr {
    let mut digest = String::new();
    for byte in Sha256::digest(key.as_str()) {
        // Writing to a string never fails.
        let _ = write!(digest, "{byte:02x}");
    }
    // Safe as SQL: the only thing put into the text are hexadecimal digits.
    AssertSqlSafe(files::begin_fused(&digest)).into_sql_str()
}

/// The statements for a key that has a row.
pub(super) const KNOWN: Files<&'static Numbered> = Files {
    claim: &files::CLAIM_AGAIN,
    renew: &files::RENEW,
    complete: &files::COMPLETE,
    complete_fused: &files::COMPLETE_FUSED_AGAIN,
    fail: &files::FAIL,
    fail_fused: &files::FAIL_FUSED_AGAIN,
    release: &files::RELEASE,
};

/// The statements for a key that had none when it was claimed.
pub(super) const ABSENT: Files<&'static Numbered> = Files {
    claim: &files::CLAIM,
    complete_fused: &files::COMPLETE_FUSED,
    fail_fused: &files::FAIL_FUSED,
    ..KNOWN
};

/// The statements that end a claim, to be tried in this order until one finds its row. A row that a
/// fused claim followed may have been swept meanwhile; one that came after it refuses the second.
pub(super) const fn files_of(
    request: &Request,
    claim: &Claim,
) -> &'static [Files<&'static Numbered>] {
    match (request.workflow().claim_mode(), claim.followed) {
        (Mode::Leased, _) => &[KNOWN],
        (Mode::Fused, None) => &[ABSENT],
        (Mode::Fused, Some(_)) => &[KNOWN, ABSENT],
    }
}

pub(super) fn numbered(statement: &Numbered) -> Query<'static, MySql, MySqlArguments> {
    sqlx::query(statement.sql)
}

/// A statement whose only value is the key.
pub(super) fn of_key(
    statement: &'static Numbered,
    key: &Key,
) -> Query<'static, MySql, MySqlArguments> {
    let places = statement.numbers().iter();
    places.fold(numbered(statement), |query, _| {
        query.bind(key.as_str().as_bytes())
    })
}

/// A statement as the driver takes it: each value in every place that has its number.
pub(super) fn bound(statement: &Statement<'_, &Numbered>) -> Query<'static, MySql, MySqlArguments> {
    let places = statement.text.numbers().iter();
    places.fold(numbered(statement.text), |query, number| {
        let at = usize::from(*number) - 1;
        match &statement.values[at] {
            // The first value of every statement is the key, and its column holds bytes.
            Value::Text(key) if at == 0 => query.bind(key.as_bytes()),
            Value::Text(text) => query.bind(*text),
            Value::MaybeText(text) => query.bind(*text),
            Value::Bytes(bytes) => query.bind(*bytes),
            Value::OwnBytes(bytes) => query.bind(bytes.as_slice()),
            Value::MaybeBytes(bytes) => query.bind(*bytes),
            Value::Number(number) => query.bind(*number),
            Value::MaybeNumber(number) => query.bind(*number),
        }
    })
}
