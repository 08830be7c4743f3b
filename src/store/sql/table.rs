//! What the tables must look like for this version, and which migration makes them so.

use crate::{StoreError, StoreErrorKind};

/// A column that the code reads or writes.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Column {
    name: &'static str,
    kind: Kind,
    /// Whether null is refused.
    required: bool,
    /// The migration that made it.
    migration: u32,
}

/// What a column holds; each database has its own word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Kind {
    /// Readable text.
    Text,
    /// Bytes, returned as they were stored.
    Bytes,
    /// A number of 32 bits.
    Integer,
    /// A number of 64 bits.
    Long,
    /// A moment by the database's clock.
    Moment,
}

const fn column(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        required: true,
        migration: 1,
    }
}

const fn optional(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        required: false,
        migration: 1,
    }
}

/// A column of a later migration, which allows null because there may be rows already.
const fn since(migration: u32, name: &'static str, kind: Kind) -> Column {
    Column {
        migration,
        ..optional(name, kind)
    }
}

/// Every column of `processed_operations`.
pub(in crate::store) const COLUMNS: [Column; 22] = [
    column("idempotency_key", Kind::Text),
    column("workflow", Kind::Text),
    column("contract_version", Kind::Integer),
    optional("contract_digest", Kind::Bytes),
    optional("tenant", Kind::Text),
    column("status", Kind::Text),
    column("request_hash", Kind::Bytes),
    column("hash_recipe", Kind::Integer),
    column("field_digests", Kind::Bytes),
    column("attempt", Kind::Integer),
    column("fence", Kind::Long),
    column("claimed_at", Kind::Moment),
    optional("lease_until", Kind::Moment),
    optional("completed_at", Kind::Moment),
    column("expires_at", Kind::Moment),
    optional("begun_effect", Kind::Text),
    optional("ambiguous_reason", Kind::Text),
    optional("response_kind", Kind::Text),
    optional("response", Kind::Bytes),
    optional("response_version", Kind::Integer),
    since(3, "effects_since", Kind::Long),
    since(3, "keyed_until", Kind::Moment),
];

/// The table as a database describes it.
#[derive(Debug, Default)]
pub(in crate::store) struct Found {
    /// Number of the newest applied migration; `None` when there is no list of them.
    pub(in crate::store) newest: Option<u32>,
    /// Name, type and whether null is refused, of each column.
    pub(in crate::store) columns: Vec<(String, String, bool)>,
    /// The collation under which the key alone is unique, in the database's spelling.
    pub(in crate::store) unique_key: Option<String>,
    /// Whether the index for sweeping is there.
    pub(in crate::store) expiry_index: bool,
    /// Whether the tables of an operator's desk are there.
    pub(in crate::store) desk: bool,
}

/// What one database calls things.
pub(in crate::store) struct Dialect {
    /// Its word for the type of a column.
    pub(in crate::store) type_of: fn(name: &str, kind: Kind) -> &'static str,
    /// Its collation that compares bytes.
    pub(in crate::store) bytewise: &'static str,
    /// Its migrations.
    pub(in crate::store) migrations: &'static [idem_templates::sql::Migration],
}

/// Refuses tables that lack what the code needs.
pub(in crate::store) fn check(found: &Found, dialect: &Dialect) -> Result<(), StoreError> {
    let refuse = |what: String| Err(StoreError::new(StoreErrorKind::Permanent, what));
    let file = |number: u32| {
        dialect
            .migrations
            .iter()
            .find(|migration| migration.number == number)
            .map_or_else(|| number.to_string(), |migration| migration.file_stem())
    };
    let known = dialect.migrations.last().map_or(0, |newest| newest.number);
    if let Some(newest) = found.newest
        && newest > known
    {
        return refuse(format!(
            "the tables are at migration {newest}, and this program knows {known}: \
             another version of it has upgraded them; update this program"
        ));
    }
    if found.columns.is_empty() {
        return refuse(format!(
            "there is no table `processed_operations`: migration {} is missing; \
             run `idem migrate`, or apply what `idem generate sql` writes",
            file(1)
        ));
    }
    let find = |column: &Column| found.columns.iter().find(|(name, ..)| name == column.name);
    if let Some(column) = COLUMNS.iter().find(|column| find(column).is_none()) {
        let remedy = if column.migration == 1 {
            "it was not made by"
        } else {
            "it lacks"
        };
        let rename = if column.migration == 1 {
            "rename that table and "
        } else {
            ""
        };
        return refuse(format!(
            "table `processed_operations` has no column `{}`: {remedy} migration {}; \
             {rename}run `idem migrate`",
            column.name,
            file(column.migration)
        ));
    }
    for column in &COLUMNS {
        let expected = (dialect.type_of)(column.name, column.kind);
        if let Some((_, kind, required)) = find(column)
            && (kind != expected || *required != column.required)
        {
            let null = |required| if required { "not null" } else { "null" };
            return refuse(format!(
                "column `{}` of table `processed_operations` is `{kind} {}` where migration {} \
                 makes it `{expected} {}`; alter it",
                column.name,
                null(*required),
                file(column.migration),
                null(column.required),
            ));
        }
    }
    match found.unique_key.as_deref() {
        None => refuse(format!(
            "no unique key on `idempotency_key` alone guards table `processed_operations`, so two \
             attempts could both win; restore the primary key of migration {}",
            file(1)
        )),
        Some(collation) if collation != dialect.bytewise => refuse(format!(
            "keys of table `processed_operations` compare under collation `{collation}`, which may \
             take two keys for one; migration {} makes it `{}`; alter the column",
            file(1),
            dialect.bytewise
        )),
        Some(_) if !found.expiry_index => refuse(format!(
            "index `processed_operations_by_expiry` is not there, so every sweep would read the \
             whole table: migration {} is missing; run `idem migrate`",
            file(2)
        )),
        Some(_) if !found.desk => refuse(format!(
            "there are no tables `dead_letters` and `operation_settlements`: migration {} is \
             missing; run `idem migrate`",
            file(4)
        )),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
