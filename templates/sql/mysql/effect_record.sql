-- Records the result of an effect, in the transaction that closed it on the operation's row: no later
-- attempt performs it again.
-- Parameters: 1 key, 2 fence, 3 effect, 4 result bytes.
-- Zero rows: the effect never began under this claim of `processed_operations`; roll back.
update operation_effects
set status = 'done', result = ?/*4*/
where idempotency_key = ?/*1*/ and effect = ?/*3*/ and fence = ?/*2*/;
