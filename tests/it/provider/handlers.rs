//! The handler of `renew-subscription`, on every database.

use std::net::SocketAddr;

use idem::{Error, Outcome, idempotent};
use serde::{Deserialize, Serialize};

use super::client::{RenewalError, charge, mail};
use crate::conformance::harness::{Harness as _, Outside, PUT, PUT_IN_PLACE};
use crate::conformance::stores::{Mysql, Postgres, Sqlite};

/// One subscription's next period.
#[derive(Clone, Debug, Deserialize, Serialize, idem::Event)]
#[event(contract = "renew-subscription")]
pub(crate) struct Renewal {
    pub(crate) merchant_id: String,
    pub(crate) subscription_id: String,
    pub(crate) period_start: String,
    pub(crate) amount: i64,
    pub(crate) currency: String,
}

impl Renewal {
    pub(crate) fn of(subscription: u32) -> Self {
        Self {
            merchant_id: "acme".to_owned(),
            subscription_id: format!("0190b2f5-6f10-7cc2-9e43-0d8b{subscription:08x}"),
            period_start: "2026-12-01".to_owned(),
            amount: 990,
            currency: "EUR".to_owned(),
        }
    }
}

/// What the customer is told.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Receipt {
    pub(crate) charge: String,
}

macro_rules! renewals {
    ($database:ident, $put:expr) => {
        pub(crate) mod $database {
            use super::*;

            #[idempotent(contract = "renew-subscription", payload = event)]
            pub(crate) async fn renew(
                op: &mut idem::$database::Operation<'_>,
                event: &Renewal,
                provider: SocketAddr,
            ) -> Result<Receipt, RenewalError> {
                let charge: String = op
                    .step("card-charge", |key| charge(provider, key, event.amount))
                    .await?;
                op.irreversible("receipt-mail", || mail(provider, &charge))
                    .await?;
                sqlx::query($put)
                    .bind(event.subscription_id.clone())
                    .execute(&mut **op.tx())
                    .await
                    .map_err(|_| RenewalError::NotWritten)?;
                Ok(Receipt { charge })
            }
        }
    };
}

renewals!(sqlite, PUT);
renewals!(postgres, PUT);
renewals!(mysql, PUT_IN_PLACE);

pub(crate) type Renewed = Result<Outcome<Receipt>, Error<RenewalError>>;

/// A harness on whose database the handler runs.
pub(crate) trait Renews: Outside {
    fn renew(
        store: &Self::Store,
        event: &Renewal,
        provider: SocketAddr,
    ) -> impl Future<Output = Renewed> + Send;

    /// What that statement says.
    fn text(&self, statement: &'static str) -> impl Future<Output = String> + Send;
}

impl Renews for Sqlite {
    async fn renew(store: &Self::Store, event: &Renewal, provider: SocketAddr) -> Renewed {
        sqlite::renew(store, event, provider).await
    }

    async fn text(&self, statement: &'static str) -> String {
        let asked = sqlx::query_scalar(statement).fetch_one(self.store().pool());
        asked.await.expect("a text")
    }
}

impl Renews for Postgres {
    async fn renew(store: &Self::Store, event: &Renewal, provider: SocketAddr) -> Renewed {
        postgres::renew(store, event, provider).await
    }

    async fn text(&self, statement: &'static str) -> String {
        let asked = sqlx::query_scalar(statement).fetch_one(self.store().pool());
        asked.await.expect("a text")
    }
}

impl Renews for Mysql {
    async fn renew(store: &Self::Store, event: &Renewal, provider: SocketAddr) -> Renewed {
        mysql::renew(store, event, provider).await
    }

    async fn text(&self, statement: &'static str) -> String {
        let asked = sqlx::query_scalar(statement).fetch_one(self.store().pool());
        asked.await.expect("a text")
    }
}
