-- Reads the number of the newest applied migration.
-- Zero rows cannot be; null means that none was applied.
select max(version) from idem_migrations where applied_at is not null;
