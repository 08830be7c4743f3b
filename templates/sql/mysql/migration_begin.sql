-- Records that a migration is begun.
-- Parameters: 1 its number, 2 its name.
insert into idem_migrations (version, name) values (?/*1*/, ?/*2*/);
