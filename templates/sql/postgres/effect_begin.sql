-- Says durably that an effect outside the database begins. The operation's row is written with it, so
-- that a concurrent takeover, which waits for that row, finds the effect begun.
-- An effect that may have happened before keeps the moment of its first beginning: that is when its
-- provider may have seen the key.
-- Parameters: 1 key, 2 fence, 3 effect, 4 how long its provider remembers a key, in milliseconds, or
-- null where nothing deduplicates.
-- Zero rows: the effect must not be performed. The claim is lost, or a provider may have forgotten the
-- key of an effect that may have happened, and then nobody goes on.
with held as (
    update processed_operations
    set
        begun_effect = case when $4::bigint is null then $3 else begun_effect end,
        keyed_until = case
            when $4::bigint is null then keyed_until
            else least(keyed_until, clock_timestamp() + $4::bigint * interval '1 millisecond')
        end
    where idempotency_key = $1 and fence = $2 and status = 'in_flight'
        and (keyed_until is null or keyed_until > clock_timestamp())
    returning idempotency_key, fence, keyed_until
)
insert into operation_effects as known (
    idempotency_key, effect, fence, status, begun_at, keyed_until
)
select
    idempotency_key, $3, fence, 'begun', clock_timestamp(),
    clock_timestamp() + $4::bigint * interval '1 millisecond'
from held
on conflict (idempotency_key, effect) do update set
    fence = excluded.fence,
    status = 'begun',
    begun_at = case
        when known.status = 'begun' and known.keyed_until >= (select keyed_until from held)
        then known.begun_at
        else excluded.begun_at
    end,
    keyed_until = case
        when known.status = 'begun' and known.keyed_until >= (select keyed_until from held)
        then known.keyed_until
        else excluded.keyed_until
    end,
    result = null;
