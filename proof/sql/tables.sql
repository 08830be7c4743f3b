-- What the soak keeps beside the claims: one ledger row for each effect that was committed, without any
-- constraint that would hide a second one, and one row for each claim that was deleted while it lived.
create table soak_ledger (
    id         bigint      not null generated always as identity,
    operation  bigint      not null,
    brief      boolean     not null,
    attempt    bigint      not null,
    written_at timestamptz not null default clock_timestamp()
);
create index soak_ledger_by_operation on soak_ledger (operation);
create table soak_deleted_alive (
    idempotency_key text not null,
    status          text not null
);
create function soak_note_deleted() returns trigger language plpgsql as $$
begin
    if old.status not in ('done', 'failed') or old.expires_at > clock_timestamp() then
        insert into soak_deleted_alive values (old.idempotency_key, old.status);
    end if;
    return old;
end
$$;
create trigger soak_deleted before delete on processed_operations
for each row execute function soak_note_deleted();
