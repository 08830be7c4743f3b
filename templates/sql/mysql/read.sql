-- Reads the row of a key, judged by the database's clock in the moment of reading.
-- The effect that had begun is an irreversible or unkeyed one, or one whose provider may have forgotten
-- its key.
-- Parameters: 1 the key.
-- Zero rows: nothing is known about the key.
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
    ambiguous_reason
from processed_operations
where idempotency_key = ?/*1*/;
