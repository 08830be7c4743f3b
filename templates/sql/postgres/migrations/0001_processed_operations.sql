-- Creates the table that remembers operations.
--
-- Moments are by the database's own clock; infinity is never. Keys compare byte for byte: a
-- collation that folds case would merge two operations. Results are bytes, because jsonb reorders
-- and rewrites, and a replay is byte for byte what the first attempt stored.
create table processed_operations (
    -- What a completion leaves as it is comes first: an update logs only what follows.
    fence            bigint      not null default 1,
    claimed_at       timestamptz not null default now(),
    attempt          integer     not null default 1,
    contract_version integer     not null,
    hash_recipe      integer     not null,
    idempotency_key  text collate "C" not null primary key,
    workflow         text        not null,
    tenant           text,
    request_hash     bytea       not null,
    field_digests    bytea       not null,
    contract_digest  bytea,
    status           text        not null,
    lease_until      timestamptz,
    completed_at     timestamptz,
    expires_at       timestamptz not null,
    response_version integer,
    response_kind    text,
    response         bytea,
    begun_effect     text,
    ambiguous_reason text,

    constraint key_is_between_1_and_255_bytes
        check (octet_length(idempotency_key) between 1 and 255),
    constraint status_is_a_known_word
        check (status in ('in_flight', 'done', 'failed', 'ambiguous')),
    constraint request_hash_is_a_sha256
        check (octet_length(request_hash) = 32),
    constraint contract_digest_is_half_a_sha256
        check (octet_length(contract_digest) = 16),
    constraint attempts_are_counted_from_zero
        check (attempt >= 0),
    constraint fences_are_counted_from_one
        check (fence >= 1),
    constraint only_a_row_in_flight_has_a_lease
        check ((status = 'in_flight') = (lease_until is not null)),
    constraint only_a_done_row_has_a_result
        check ((status = 'done') = (response_kind is not null)),
    constraint a_result_is_bytes_with_a_version_or_a_tombstone
        check (
            case
                when response_kind is null then response is null and response_version is null
                when response_kind = 'tombstone' then response is null and response_version is not null
                when response_kind in ('value', 'refusal') then response is not null and response_version is not null
                else false
            end
        ),
    constraint a_done_row_says_when
        check (status <> 'done' or completed_at is not null),
    constraint an_ambiguous_row_says_why
        check (status <> 'ambiguous' or ambiguous_reason is not null),
    constraint an_unfinished_row_never_expires
        check (status in ('done', 'failed') or expires_at = 'infinity')
);
