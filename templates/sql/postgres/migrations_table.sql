-- Creates the list of applied migrations, where it is not there yet.
create table if not exists idem_migrations (
    version    integer     not null primary key,
    name       text        not null,
    applied_at timestamptz not null default now()
);
