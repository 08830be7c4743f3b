-- Decides a leased claim of a key that has a row: starts it anew past its window, or takes it over.
-- The where clause is the table of states, and holds only for the row that was read: that fence is
-- given once. It waits for nobody: a row that an owner is about to finish is passed over.
-- Parameters: 1 key, 2 workflow, 3 contract version, 4 first half of the contract's digest
-- or null, 5 tenant or null, 6 request hash, 7 hash recipe, 8 field digests,
-- 9 lease in milliseconds, 10 most attempts, 11 attempt, 12 fence, 13 fence and 14 status of the row
-- that was read.
-- Zero rows: not won; the row says why, or will soon.
update (
    select
        idempotency_key,
        effects_since,
        keyed_until,
        status in ('done', 'failed') and expires_at <= utc_timestamp(6) as is_over
    from processed_operations
    where idempotency_key = ?/*1*/
    limit 1
    for update skip locked
) as free
straight_join processed_operations as known on known.idempotency_key = free.idempotency_key
set
    known.claimed_at = utc_timestamp(6),
    known.lease_until = utc_timestamp(6) + interval (?/*9*/ * 1000) microsecond,
    known.completed_at = null,
    known.expires_at = '9999-12-31 23:59:59.999999',
    known.workflow = ?/*2*/,
    known.contract_version = ?/*3*/,
    known.contract_digest = ?/*4*/,
    known.tenant = ?/*5*/,
    known.status = 'in_flight',
    known.request_hash = ?/*6*/,
    known.hash_recipe = ?/*7*/,
    known.field_digests = ?/*8*/,
    known.attempt = ?/*11*/,
    known.fence = ?/*12*/,
    known.begun_effect = null,
    known.effects_since = case when free.is_over then ?/*12*/ else free.effects_since end,
    known.keyed_until = case when ?/*14*/ = 'in_flight' then free.keyed_until end,
    known.ambiguous_reason = null,
    known.response_kind = null,
    known.response = null,
    known.response_version = null
where known.fence = ?/*13*/
    and known.status = ?/*14*/
    and (
        free.is_over
        or (
            known.workflow = ?/*2*/
            and known.request_hash = ?/*6*/
            and known.hash_recipe = ?/*7*/
            and known.attempt < ?/*10*/
            and (
                known.status = 'failed'
                or (
                    known.status = 'in_flight'
                    and known.lease_until <= utc_timestamp(6)
                    and known.begun_effect is null
                    and (known.keyed_until is null or known.keyed_until > utc_timestamp(6))
                )
            )
        )
    );
