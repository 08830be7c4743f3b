-- Posts one side of a refund.
-- Parameters: 1 tenant, 2 refund, 3 account, 4 amount in minor units, negative for credit.
insert into ledger (tenant_id, refund_id, account, amount)
values ($1, $2, $3, $4);
