-- Creates the table that remembers operations.
--
-- Moments are whole milliseconds since 1970, by the database's own clock; 9223372036854775807 is
-- never. Keys compare byte for byte: a collation that folds case would merge two operations.
create table processed_operations (
    idempotency_key  text    not null collate binary primary key,
    workflow         text    not null,
    contract_version integer not null,
    contract_digest  blob,
    tenant           text,
    status           text    not null,
    request_hash     blob    not null,
    hash_recipe      integer not null,
    field_digests    blob    not null,
    attempt          integer not null default 1,
    fence            integer not null default 1,
    claimed_at       integer not null,
    lease_until      integer,
    completed_at     integer,
    expires_at       integer not null,
    begun_effect     text,
    ambiguous_reason text,
    response_kind    text,
    response         blob,
    response_version integer,

    constraint key_is_between_1_and_255_bytes
        check (length(cast(idempotency_key as blob)) between 1 and 255),
    constraint status_is_a_known_word
        check (status in ('in_flight', 'done', 'failed', 'ambiguous')),
    constraint request_hash_is_a_sha256
        check (length(request_hash) = 32),
    constraint contract_digest_is_half_a_sha256
        check (length(contract_digest) = 16),
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
        check (status in ('done', 'failed') or expires_at = 9223372036854775807)
) strict, without rowid;
