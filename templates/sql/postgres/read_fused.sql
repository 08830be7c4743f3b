-- Reads whether the key's lock is ours, its row, and whether the server takes no writes. This is a statement of its own: one that took
-- the lock would still see the table as it was before.
-- The effect that had begun is an irreversible or unkeyed one, or `an effect` whose provider may have
-- forgotten its key: naming that one here would cost every replay a look at a second table.
-- Parameters: 1 the key.
-- Always returns one row. Its status is null where nothing is known about the key.
select
    workflow,
    status,
    status in ('done', 'failed') and expires_at <= clock_timestamp(),
    case when status = 'in_flight'
        then greatest(0, ceil(extract(epoch from lease_until - clock_timestamp()) * 1000))::bigint end,
    request_hash,
    hash_recipe::bigint,
    field_digests,
    attempt::bigint,
    fence,
    response_kind,
    response,
    response_version::bigint,
    floor(extract(epoch from completed_at) * 1000)::bigint,
    coalesce(
        begun_effect,
        case when keyed_until <= clock_timestamp() then 'an effect' end
    ),
    ambiguous_reason,
    current_setting('idem.key_is_ours', true) = 'true',
    current_setting('transaction_read_only') = 'on'
from (values (1)) as always
left join processed_operations on idempotency_key = $1;
