//! The same handler for the other database. The statements are the same files; the driver's types
//! differ, and being generic over a driver takes more lines than a second handler.

use idem::idempotent;

use super::{
    INSERT_POSTING, INSERT_REFUND, Pace, Receipt, Refund, RefundError, postings, receipt,
    refuse_nothing,
};

/// Books a refund in Postgres.
#[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
pub async fn refund_in_postgres(
    tx: &mut idem::postgres::Tx<'_>,
    event: &Refund,
    pace: Pace,
) -> Result<Receipt, RefundError> {
    refuse_nothing(event)?;
    sqlx::query(INSERT_REFUND)
        .bind(&event.tenant_id)
        .bind(&event.refund_id)
        .bind(&event.order_id)
        .bind(event.amount)
        .bind(event.currency.code())
        .execute(&mut **tx)
        .await?;
    pace.stand_still(event).await;
    for (account, amount) in postings(event) {
        sqlx::query(INSERT_POSTING)
            .bind(&event.tenant_id)
            .bind(&event.refund_id)
            .bind(account)
            .bind(amount)
            .execute(&mut **tx)
            .await?;
    }
    Ok(receipt(event, tx.attempt()))
}
