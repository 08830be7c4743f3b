-- Takes an effect back that surely did not happen: it had not begun. The operation's row keeps what
-- is still open of its other effects.
-- Parameters: 1 key, 2 fence, 3 effect.
-- Zero rows: the claim is lost, or the effect never began under it.
with held as (
    update processed_operations as operation
    set
        begun_effect = (
            select min(other.effect)
            from operation_effects as other
            where other.idempotency_key = $1 and other.effect <> $3 and other.fence = $2
                and other.status = 'begun' and other.keyed_until is null
        ),
        keyed_until = (
            select min(other.keyed_until)
            from operation_effects as other
            where other.idempotency_key = $1 and other.effect <> $3 and other.status = 'begun'
                and other.keyed_until >= operation.keyed_until
                and other.fence >= coalesce(operation.effects_since, 1)
        )
    where idempotency_key = $1 and fence = $2 and status = 'in_flight'
    returning idempotency_key
)
delete from operation_effects as known
using held
where known.idempotency_key = held.idempotency_key and known.effect = $3 and known.fence = $2
    and known.status = 'begun';
