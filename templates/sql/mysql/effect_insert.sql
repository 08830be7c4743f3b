-- Writes the row of an effect that begins, in the transaction that said so on the operation's row.
-- An effect that may have happened before keeps the moment of its first beginning: that is when its
-- provider may have seen the key. Each assignment sees those above it done.
-- Parameters: 1 key, 2 fence, 3 effect, 4 how long its provider remembers a key, in milliseconds, or
-- null where nothing deduplicates; more than five thousand years are as good as that.
-- Zero rows: impossible.
insert into operation_effects (idempotency_key, effect, fence, status, begun_at, keyed_until)
values (
    ?/*1*/, ?/*3*/, ?/*2*/, 'begun', utc_timestamp(6),
    utc_timestamp(6) + interval (least(?/*4*/, 157680000000000) * 1000) microsecond
)
on duplicate key update
    begun_at = case
        when status = 'begun' and keyed_until >= (
            select operation.keyed_until
            from processed_operations as operation
            where operation.idempotency_key = ?/*1*/
        )
        then begun_at
        else utc_timestamp(6)
    end,
    keyed_until = case
        when status = 'begun' and keyed_until >= (
            select operation.keyed_until
            from processed_operations as operation
            where operation.idempotency_key = ?/*1*/
        )
        then keyed_until
        else utc_timestamp(6) + interval (least(?/*4*/, 157680000000000) * 1000) microsecond
    end,
    fence = ?/*2*/,
    status = 'begun',
    result = null;
