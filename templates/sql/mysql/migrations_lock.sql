-- Waits until no other process migrates this database, and holds that off until the session ends or
-- lets go. A statement that changes tables commits at once, so no transaction can do this.
-- Parameters: 1 how long to wait at most, in seconds.
-- Always returns one row: whether the lock is ours.
select coalesce(get_lock(concat('idem:', left(sha2(concat_ws(':', database(), 'migrations'), 256), 40)), ?/*1*/) = 1, false);
