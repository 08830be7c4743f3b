-- Says durably on the operation's row that an effect outside the database begins, so that a takeover
-- finds it begun.
-- Parameters: 1 key, 2 fence, 3 effect, 4 how long its provider remembers a key, in milliseconds, or
-- null where nothing deduplicates; more than five thousand years are as good as that.
-- Zero rows: the effect must not be performed; roll back. The claim is lost, or a provider may have
-- forgotten the key of an effect that may have happened, and then nobody goes on.
update processed_operations
set
    begun_effect = case when ?/*4*/ is null then ?/*3*/ else begun_effect end,
    keyed_until = case
        when ?/*4*/ is null then keyed_until
        else least(
            coalesce(keyed_until, '9999-12-31 23:59:59.999999'),
            utc_timestamp(6) + interval (least(?/*4*/, 157680000000000) * 1000) microsecond
        )
    end
where idempotency_key = ?/*1*/ and fence = ?/*2*/ and status = 'in_flight'
    and (keyed_until is null or keyed_until > utc_timestamp(6));
