//! Scratch databases, one for each scene.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem_templates::drill::mysql as files;
use sqlx::mysql::{MySqlConnection, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, MySql, Row as _};

use super::{DrillStore, Statements, statements};
use crate::Observer;
use crate::drill::subject::Trouble;
use crate::mysql::{MysqlStore, Tx};

/// What the name of every scratch database begins with.
const NAME: &str = "idem_drill_";

impl DrillStore for MysqlStore {
    type Driver = MySql;

    const STATEMENTS: &'static Statements = &statements!(mysql);

    async fn scratch(url: Option<&str>) -> Result<String, Trouble> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let url = url.ok_or("MariaDB has to be told which server: give the drill an address")?;
        let mut connection = MySqlConnection::connect(url).await?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let began = std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default();
        // The process and the moment: nobody else, on no other machine, has both.
        let database = format!(
            "{NAME}{}_{}_{number}",
            began.as_micros(),
            std::process::id()
        );
        let statement = files::DATABASE.replace("idem_drill_any", &quoted(&database));
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        Ok(at_database(url, &database))
    }

    async fn discard(url: &str) -> Result<(), Trouble> {
        let database = database_of(url)
            .filter(|database| database.starts_with(NAME))
            .ok_or("this is no scratch database's address")?;
        let mut connection = MySqlConnection::connect(url).await?;
        let statement = files::DROP_DATABASE.replace("idem_drill_any", &quoted(database));
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        Ok(())
    }

    async fn connect(url: &str, observer: Option<Arc<dyn Observer>>) -> Result<Self, Trouble> {
        let pool = MySqlPoolOptions::new()
            .max_connections(16)
            .connect(url)
            .await?;
        let store = Self::new(pool);
        Ok(match observer {
            Some(observer) => store.observed(observer),
            None => store,
        })
    }

    async fn rows_of(&self, table: &str, without: &[&str]) -> Result<String, Trouble> {
        let columns: Vec<String> = sqlx::query_scalar(files::COLUMNS_OF)
            .bind(table)
            .fetch_all(self.pool())
            .await?;
        if columns.is_empty() {
            return Err(format!("there is no table `{table}`").into());
        }
        let texts: Vec<String> = columns
            .iter()
            .filter(|column| !without.contains(&column.as_str()))
            .map(|column| {
                let name = column.replace('\'', "''");
                let column = quoted(column);
                format!("concat('{name}=', quote(convert({column} using utf8mb4)))")
            })
            .collect();
        let statement = files::ROWS
            .replace("idem_drill_columns", &texts.join(", "))
            .replace("idem_drill_any", &quoted(table));
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_all(self.pool())
            .await?;
        Ok(rows.join("\n"))
    }

    async fn execute(
        connection: &mut MySqlConnection,
        statement: &'static str,
        texts: &[&str],
    ) -> Result<u64, sqlx::Error> {
        let mut query = sqlx::query(statement);
        for text in texts {
            query = query.bind((*text).to_owned());
        }
        Ok(query.execute(connection).await?.rows_affected())
    }

    async fn fetch(
        connection: &mut MySqlConnection,
        statement: &'static str,
        texts: &[&str],
    ) -> Result<Vec<Vec<String>>, sqlx::Error> {
        // A statement that writes returns nothing here: what it won is read in the same session.
        let (statement, texts) = if statement == files::TWIN_CLAIM {
            Self::execute(connection, statement, texts).await?;
            (files::TWIN_WON, [].as_slice())
        } else {
            (statement, texts)
        };
        let mut query = sqlx::query(statement);
        for text in texts {
            query = query.bind((*text).to_owned());
        }
        let rows = query.fetch_all(connection).await?;
        rows.iter()
            .map(|row| (0..row.len()).map(|at| row.try_get(at)).collect())
            .collect()
    }

    fn connection<'c>(tx: &'c mut Tx<'static>) -> &'c mut MySqlConnection {
        tx
    }

    async fn unclaimed(&self) -> Result<sqlx::Transaction<'static, MySql>, sqlx::Error> {
        self.pool().begin().await
    }

    fn is_writer_held(_: &sqlx::Error) -> bool {
        false
    }
}

/// A name as an identifier.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Where the address ends that names a server: before the database.
fn server(url: &str) -> usize {
    let authority = url.find("://").map_or(0, |at| at + 3);
    let rest = url[authority..].find(['/', '?']);
    rest.map_or(url.len(), |at| authority + at)
}

/// The same server, and that database.
fn at_database(url: &str, database: &str) -> String {
    let query = url.find('?').map_or("", |at| &url[at..]);
    format!("{}/{database}{query}", &url[..server(url)])
}

/// The database that an address names.
fn database_of(url: &str) -> Option<&str> {
    let path = url[server(url)..].strip_prefix('/')?;
    path.split('?').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_another_database_of_the_same_server() {
        for (url, expected) in [
            ("mysql://u:p@h:1/shop", "mysql://u:p@h:1/x"),
            ("mysql://h", "mysql://h/x"),
            (
                "mysql://h/?ssl-mode=disabled",
                "mysql://h/x?ssl-mode=disabled",
            ),
            ("mysql://h/a?charset=utf8mb4", "mysql://h/x?charset=utf8mb4"),
        ] {
            assert_eq!(at_database(url, "x"), expected);
            assert_eq!(database_of(expected), Some("x"));
        }
    }
}
