-- Records a migration, in its own transaction.
-- Parameters: 1 its number, 2 its name.
insert into idem_migrations (version, name) values ($1::bigint::integer, $2);
