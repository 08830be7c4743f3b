-- Creates the list of cases that a person decides, and of what people decided.
--
-- A case is an operation under one fence, claimed at one moment: after a sweep, fences begin anew.
-- What the contract says of the workflow is kept as it was when the case became known.
create table dead_letters (
    idempotency_key text collate "C" not null,
    fence           bigint      not null,
    claimed_at      timestamptz not null,
    workflow        text        not null,
    tenant          text,
    kind            text        not null,
    attempt         integer     not null,
    known           text        not null,
    owner           text,
    channel         text,
    deadline_ms     bigint,
    window_ms       bigint,
    since           timestamptz not null,
    settled_at      timestamptz,

    primary key (idempotency_key, fence, claimed_at),

    constraint kind_is_ambiguous_or_exhausted
        check (kind in ('ambiguous', 'exhausted'))
);

create index dead_letters_by_age on dead_letters (settled_at, since);

-- Lets a sweep find begun effects whose owner is gone without reading the table.
create index processed_operations_by_lease on processed_operations (lease_until)
where status = 'in_flight' and (begun_effect is not null or keyed_until is not null);

-- The same for ambiguous operations, of which there are few.
create index processed_operations_ambiguous on processed_operations (idempotency_key)
where status = 'ambiguous';

create table operation_settlements (
    settlement      bigint      not null generated always as identity primary key,
    idempotency_key text collate "C" not null,
    settled_at      timestamptz not null,
    settled_by      text        not null,
    change          text        not null,
    old_status      text        not null,
    new_status      text,
    old_fence       bigint      not null,
    old_attempt     integer     not null,
    note            text        not null,

    constraint change_is_a_known_word
        check (change in ('resolve', 'retry', 'forget'))
);

create index operation_settlements_by_key on operation_settlements (idempotency_key, settlement);

insert into dead_letters (
    idempotency_key, fence, claimed_at, workflow, tenant, kind, attempt, known, since
)
select
    idempotency_key, fence, claimed_at, workflow, tenant, 'ambiguous', attempt, ambiguous_reason, now()
from processed_operations
where status = 'ambiguous';
