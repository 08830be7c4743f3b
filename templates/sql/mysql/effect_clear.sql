-- Takes an effect back that surely did not happen, in the transaction that closed it on the
-- operation's row: it had not begun.
-- Parameters: 1 key, 2 fence, 3 effect.
-- Zero rows: the effect never began under this claim of `processed_operations`; roll back.
delete from operation_effects
where idempotency_key = ?/*1*/ and effect = ?/*3*/ and fence = ?/*2*/ and status = 'begun';
