-- Records that a migration is applied.
-- Parameters: 1 its number.
update idem_migrations set applied_at = utc_timestamp(6) where version = ?/*1*/;
