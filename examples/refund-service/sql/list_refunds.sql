-- Reads a tenant's refunds, with the number of ledger postings behind each.
-- Parameters: 1 tenant.
select refund_id, order_id, amount, currency, (
    select count(*)
    from ledger
    where ledger.tenant_id = refunds.tenant_id and ledger.refund_id = refunds.refund_id
) as postings
from refunds
where tenant_id = $1
order by refund_id;
