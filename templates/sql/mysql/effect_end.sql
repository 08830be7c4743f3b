-- Says on the operation's row that an effect is not open any more: the row keeps what is still open
-- of the others.
-- Parameters: 1 key, 2 fence, 3 effect.
-- Zero rows: the claim is lost; roll back.
update processed_operations
set
    begun_effect = (
        select min(other.effect)
        from operation_effects as other
        where other.idempotency_key = ?/*1*/ and other.effect <> ?/*3*/ and other.fence = ?/*2*/
            and other.status = 'begun' and other.keyed_until is null
    ),
    keyed_until = (
        select min(other.keyed_until)
        from operation_effects as other
        where other.idempotency_key = ?/*1*/ and other.effect <> ?/*3*/ and other.status = 'begun'
            and other.keyed_until >= processed_operations.keyed_until
            and other.fence >= coalesce(processed_operations.effects_since, 1)
    )
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = 'in_flight';
