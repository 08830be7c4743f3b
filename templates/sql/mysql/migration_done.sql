-- Records a migration that a migration tool has applied.
-- Parameters: 1 its number, 2 its name.
insert into idem_migrations (version, name, applied_at) values (?/*1*/, ?/*2*/, utc_timestamp(6));
