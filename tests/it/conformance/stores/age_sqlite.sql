-- Makes every row look older, by the milliseconds put in place of the parameter.
update processed_operations
set
    claimed_at = claimed_at - $1,
    lease_until = lease_until - $1,
    completed_at = completed_at - $1,
    expires_at = case when expires_at = 9223372036854775807 then expires_at else expires_at - $1 end,
    keyed_until = keyed_until - $1;
update operation_effects
set begun_at = begun_at - $1, keyed_until = keyed_until - $1;
update dead_letters set claimed_at = claimed_at - $1, since = since - $1;
