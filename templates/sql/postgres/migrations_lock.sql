-- Waits until no other process migrates, and holds that off until the transaction ends.
-- The number is "idem" in ASCII, shifted away from the keys' locks by its first byte.
select pg_advisory_xact_lock(x'6964656d00000001'::bigint);
