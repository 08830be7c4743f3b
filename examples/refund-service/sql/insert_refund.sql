-- Books a refund.
-- Parameters: 1 tenant, 2 refund, 3 order, 4 amount in minor units, 5 currency.
insert into refunds (tenant_id, refund_id, order_id, amount, currency)
values ($1, $2, $3, $4, $5);
