-- Creates the table of the effects outside the database, each beside its operation.
--
-- What a claim judges is on the operation's own row. An effect under a lower fence than effects_since
-- belongs to a window that is over. keyed_until is until when a provider surely remembers the key of
-- an effect that may have happened; null where there is none, and where nothing deduplicates.
alter table processed_operations add column effects_since integer;
alter table processed_operations add column keyed_until integer;

create table operation_effects (
    idempotency_key text    not null collate binary,
    effect          text    not null collate binary,
    fence           integer not null,
    status          text    not null,
    begun_at        integer not null,
    keyed_until     integer,
    result          blob,

    primary key (idempotency_key, effect),

    constraint status_is_begun_or_done
        check (status in ('begun', 'done')),
    constraint fences_are_counted_from_one
        check (fence >= 1),
    constraint a_done_effect_has_a_result
        check ((status = 'done') = (result is not null))
) strict, without rowid;

-- A trigger and no foreign key: those are kept only on connections that ask for it.
create trigger operation_effects_go_with_their_operation
after delete on processed_operations
begin
    delete from operation_effects where idempotency_key = old.idempotency_key;
end;
