-- Reads the number of the newest applied migration.
-- Zero rows cannot be; null means that none was applied.
select max(version)::bigint from idem_migrations;
