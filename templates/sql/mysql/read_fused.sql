-- Reads whether the key's lock is ours, and its row. This is the first read of the transaction, and
-- comes after the lock: what it sees is what the last owner committed.
-- The effect that had begun is an irreversible or unkeyed one, or one whose provider may have forgotten
-- its key.
-- Parameters: 1 the key.
-- Always returns one row. Its status is null where nothing is known about the key.
select
    workflow,
    status,
    status in ('done', 'failed') and expires_at <= utc_timestamp(6),
    case when status = 'in_flight'
        then greatest(0, (timestampdiff(microsecond, utc_timestamp(6), lease_until) + 999) div 1000) end,
    request_hash,
    hash_recipe,
    field_digests,
    attempt,
    fence,
    response_kind,
    response,
    response_version,
    timestampdiff(microsecond, '1970-01-01 00:00:00', completed_at) div 1000,
    coalesce(
        begun_effect,
        case when keyed_until <= utc_timestamp(6) then coalesce(
            (
                select min(known.effect)
                from operation_effects as known
                where known.idempotency_key = ?/*1*/ and known.status = 'begun'
                    and known.keyed_until between processed_operations.keyed_until
                        and utc_timestamp(6)
            ),
            'an effect'
        ) end
    ),
    ambiguous_reason,
    coalesce(@idem_key_is_ours = 1, false)
from (select 1 as one) as always
left join processed_operations on idempotency_key = ?/*1*/;
