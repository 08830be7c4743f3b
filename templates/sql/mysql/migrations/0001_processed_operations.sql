-- Creates the table that remembers operations.
--
-- Moments are in UTC by the server's own clock, whatever time zone a session is in; the last moment
-- that the type holds is never. Keys are bytes: a collation that folds case, or pads with spaces,
-- would merge two operations. Results are bytes, because a replay is byte for byte what the first
-- attempt stored.
create table processed_operations (
    idempotency_key  varbinary(255) not null primary key,
    workflow         varchar(255)   not null,
    contract_version int            not null,
    contract_digest  varbinary(16),
    tenant           text,
    status           varchar(16)    not null,
    request_hash     varbinary(32)  not null,
    hash_recipe      int            not null,
    field_digests    blob           not null,
    attempt          int            not null,
    fence            bigint         not null,
    claimed_at       datetime(6)    not null,
    lease_until      datetime(6),
    completed_at     datetime(6),
    expires_at       datetime(6)    not null,
    begun_effect     varchar(255),
    ambiguous_reason text,
    response_kind    varchar(16),
    response         longblob,
    response_version int,

    constraint key_is_not_empty
        check (octet_length(idempotency_key) >= 1),
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
        check (status in ('done', 'failed') or expires_at = '9999-12-31 23:59:59.999999')
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;
