-- Records a migration, in its own transaction.
-- Parameters: 1 its number, 2 its name.
insert into idem_migrations (version, name, applied_at)
values (?1, ?2, cast(round(unixepoch('subsec') * 1000) as integer));
