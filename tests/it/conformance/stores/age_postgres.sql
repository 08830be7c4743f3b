-- Makes every row look older, by the milliseconds put in place of the parameter.
update processed_operations
set
    claimed_at = claimed_at - $1 * interval '1 millisecond',
    lease_until = lease_until - $1 * interval '1 millisecond',
    completed_at = completed_at - $1 * interval '1 millisecond',
    expires_at = expires_at - $1 * interval '1 millisecond',
    keyed_until = keyed_until - $1 * interval '1 millisecond';
update operation_effects
set
    begun_at = begun_at - $1 * interval '1 millisecond',
    keyed_until = keyed_until - $1 * interval '1 millisecond';
update dead_letters
set
    claimed_at = claimed_at - $1 * interval '1 millisecond',
    since = since - $1 * interval '1 millisecond';
