-- Creates the table of the effects outside the database, each beside its operation.
--
-- What a claim judges is on the operation's own row, because only that row is locked and read again
-- by a concurrent claim. An effect under a lower fence than effects_since belongs to a window that is
-- over. keyed_until is until when a provider surely remembers the key of an effect that may have
-- happened; null where there is none, and where nothing deduplicates.
alter table processed_operations
    add column effects_since bigint,
    add column keyed_until   timestamptz;

create table operation_effects (
    idempotency_key text collate "C" not null
        references processed_operations (idempotency_key) on delete cascade,
    effect          text collate "C" not null,
    fence           bigint      not null,
    status          text        not null,
    begun_at        timestamptz not null,
    keyed_until     timestamptz,
    result          bytea,

    primary key (idempotency_key, effect),

    constraint status_is_begun_or_done
        check (status in ('begun', 'done')),
    constraint fences_are_counted_from_one
        check (fence >= 1),
    constraint a_done_effect_has_a_result
        check ((status = 'done') = (result is not null))
);
