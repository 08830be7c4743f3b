-- Writes the row of an effect that begins, in the transaction that said so on the operation's row.
-- An effect that may have happened before keeps the moment of its first beginning: that is when its
-- provider may have seen the key.
-- Parameters: 1 key, 2 fence, 3 effect, 4 how long its provider remembers a key, in milliseconds, or
-- null where nothing deduplicates.
-- Zero rows: impossible.
insert into operation_effects as known (
    idempotency_key, effect, fence, status, begun_at, keyed_until
)
values (
    ?1, ?3, ?2, 'begun',
    cast(round(unixepoch('subsec') * 1000) as integer),
    cast(round(unixepoch('subsec') * 1000) as integer) + ?4
)
on conflict (idempotency_key, effect) do update set
    fence = excluded.fence,
    status = 'begun',
    begun_at = case
        when known.status = 'begun' and known.keyed_until >= (
            select keyed_until from processed_operations where idempotency_key = ?1
        )
        then known.begun_at
        else excluded.begun_at
    end,
    keyed_until = case
        when known.status = 'begun' and known.keyed_until >= (
            select keyed_until from processed_operations where idempotency_key = ?1
        )
        then known.keyed_until
        else excluded.keyed_until
    end,
    result = null;
