-- Makes every row look older, by the milliseconds put in place of the parameter.
update processed_operations
set
    claimed_at = claimed_at - interval ($1 * 1000) microsecond,
    lease_until = lease_until - interval ($1 * 1000) microsecond,
    completed_at = completed_at - interval ($1 * 1000) microsecond,
    expires_at = if(
        expires_at = '9999-12-31 23:59:59.999999',
        expires_at,
        expires_at - interval ($1 * 1000) microsecond
    ),
    keyed_until = keyed_until - interval ($1 * 1000) microsecond;
update operation_effects
set
    begun_at = begun_at - interval ($1 * 1000) microsecond,
    keyed_until = keyed_until - interval ($1 * 1000) microsecond;
update dead_letters
set
    claimed_at = claimed_at - interval ($1 * 1000) microsecond,
    since = since - interval ($1 * 1000) microsecond;
