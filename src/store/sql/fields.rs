//! The columns of an operator's statement, read in their order: text or whole numbers.

use std::time::{Duration, SystemTime};

use sqlx::{ColumnIndex, Decode, Row as Columns, Type};

use super::row::moment;
use crate::{Fence, StoreError, StoreErrorKind};

/// One row, read from left to right.
#[derive(Debug)]
pub(in crate::store) struct Fields {
    values: std::vec::IntoIter<Option<Field>>,
    at: usize,
}

#[derive(Debug)]
enum Field {
    Text(String),
    Number(i64),
}

/// Reads every column of a row.
pub(in crate::store) fn fields<'r, R>(row: &'r R) -> Result<Fields, sqlx::Error>
where
    R: Columns,
    usize: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    let values: Vec<_> = (0..row.len())
        .map(|at| match row.try_get::<Option<i64>, _>(at) {
            Ok(number) => Ok(number.map(Field::Number)),
            Err(_) => Ok(row.try_get::<Option<String>, _>(at)?.map(Field::Text)),
        })
        .collect::<Result<_, sqlx::Error>>()?;
    Ok(Fields {
        values: values.into_iter(),
        at: 0,
    })
}

impl Fields {
    /// A row without columns: of a statement that says only how many rows it changed.
    #[cfg(feature = "mysql")]
    pub(in crate::store) fn none() -> Self {
        Self {
            values: Vec::new().into_iter(),
            at: 0,
        }
    }

    fn next(&mut self) -> Option<Field> {
        self.at += 1;
        self.values.next().flatten()
    }

    fn damaged(&self) -> StoreError {
        StoreError::new(
            StoreErrorKind::Permanent,
            format!(
                "reading what an operator sees: column {} holds what it never may; the row is \
                 damaged, correct it by hand",
                self.at
            ),
        )
    }

    pub(in crate::store) fn maybe_text(&mut self) -> Result<Option<String>, StoreError> {
        match self.next() {
            None => Ok(None),
            Some(Field::Text(text)) => Ok(Some(text)),
            Some(Field::Number(_)) => Err(self.damaged()),
        }
    }

    pub(in crate::store) fn text(&mut self) -> Result<String, StoreError> {
        self.maybe_text()?.ok_or_else(|| self.damaged())
    }

    pub(in crate::store) fn maybe_number(&mut self) -> Result<Option<i64>, StoreError> {
        match self.next() {
            None => Ok(None),
            Some(Field::Number(number)) => Ok(Some(number)),
            Some(Field::Text(_)) => Err(self.damaged()),
        }
    }

    pub(in crate::store) fn number(&mut self) -> Result<i64, StoreError> {
        self.maybe_number()?.ok_or_else(|| self.damaged())
    }

    pub(in crate::store) fn count(&mut self) -> Result<u32, StoreError> {
        u32::try_from(self.number()?).map_err(|_| self.damaged())
    }

    pub(in crate::store) fn fence(&mut self) -> Result<Fence, StoreError> {
        Fence::from_stored(self.number()?).ok_or_else(|| self.damaged())
    }

    pub(in crate::store) fn maybe_word<T>(
        &mut self,
        known: fn(&str) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        self.maybe_text()?
            .map(|word| known(&word).ok_or_else(|| self.damaged()))
            .transpose()
    }

    pub(in crate::store) fn word<T>(
        &mut self,
        known: fn(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        self.maybe_word(known)?.ok_or_else(|| self.damaged())
    }

    /// A length of time in milliseconds.
    pub(in crate::store) fn maybe_span(&mut self) -> Result<Option<Duration>, StoreError> {
        let millis = self.maybe_number()?;
        Ok(millis.map(|millis| Duration::from_millis(u64::try_from(millis).unwrap_or(0))))
    }

    /// A moment in milliseconds since 1970.
    pub(in crate::store) fn maybe_moment(&mut self) -> Result<Option<SystemTime>, StoreError> {
        self.maybe_number()?
            .map(|millis| moment(millis).ok_or_else(|| self.damaged()))
            .transpose()
    }

    pub(in crate::store) fn moment(&mut self) -> Result<SystemTime, StoreError> {
        self.maybe_moment()?.ok_or_else(|| self.damaged())
    }
}
