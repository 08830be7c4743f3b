-- Renews the lease of a claim: it runs anew from now.
-- Parameters: 1 key, 2 fence, 3 lease in milliseconds.
-- Zero rows: the claim is lost.
update processed_operations
set lease_until = utc_timestamp(6) + interval (?/*3*/ * 1000) microsecond
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = 'in_flight';
