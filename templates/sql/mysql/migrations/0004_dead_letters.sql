-- Creates the list of cases that a person decides, and of what people decided.
--
-- A case is an operation under one fence, claimed at one moment: after a sweep, fences begin anew.
-- What the contract says of the workflow is kept as it was when the case became known.
create table dead_letters (
    idempotency_key varbinary(255) not null,
    fence           bigint         not null,
    claimed_at      datetime(6)    not null,
    workflow        varchar(255)   not null,
    tenant          text,
    kind            varchar(16)    not null,
    attempt         int            not null,
    known           text           not null,
    owner           text,
    channel         text,
    deadline_ms     bigint,
    window_ms       bigint,
    since           datetime(6)    not null,
    settled_at      datetime(6),

    primary key (idempotency_key, fence, claimed_at),

    constraint kind_is_ambiguous_or_exhausted
        check (kind in ('ambiguous', 'exhausted'))
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;

create index dead_letters_by_age on dead_letters (settled_at, since);

create table operation_settlements (
    settlement      bigint         not null auto_increment primary key,
    idempotency_key varbinary(255) not null,
    settled_at      datetime(6)    not null,
    settled_by      text           not null,
    `change`        varchar(16)    not null,
    old_status      varchar(16)    not null,
    new_status      varchar(16),
    old_fence       bigint         not null,
    old_attempt     int            not null,
    note            text           not null,

    constraint change_is_a_known_word
        check (`change` in ('resolve', 'retry', 'forget'))
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;

create index operation_settlements_by_key on operation_settlements (idempotency_key, settlement);

insert into dead_letters (
    idempotency_key, fence, claimed_at, workflow, tenant, kind, attempt, known, since
)
select
    idempotency_key, fence, claimed_at, workflow, tenant, 'ambiguous', attempt, ambiguous_reason,
    utc_timestamp(6)
from processed_operations
where status = 'ambiguous';
