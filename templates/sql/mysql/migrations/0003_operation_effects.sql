-- Creates the table of the effects outside the database, each beside its operation.
--
-- What a claim judges is on the operation's own row, because only that row is locked by a concurrent
-- claim. An effect under a lower fence than effects_since belongs to a window that is over. keyed_until
-- is until when a provider surely remembers the key of an effect that may have happened; null where
-- there is none, and where nothing deduplicates.
alter table processed_operations
    add column effects_since bigint,
    add column keyed_until   datetime(6);

create table operation_effects (
    idempotency_key varbinary(255) not null,
    effect          varchar(255)   not null,
    fence           bigint         not null,
    status          varchar(16)    not null,
    begun_at        datetime(6)    not null,
    keyed_until     datetime(6),
    result          longblob,

    primary key (idempotency_key, effect),

    constraint an_effect_belongs_to_an_operation
        foreign key (idempotency_key) references processed_operations (idempotency_key) on delete cascade,
    constraint an_effects_status_is_begun_or_done
        check (status in ('begun', 'done')),
    constraint an_effects_fences_are_counted_from_one
        check (fence >= 1),
    constraint a_done_effect_has_a_result
        check ((status = 'done') = (result is not null))
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;
