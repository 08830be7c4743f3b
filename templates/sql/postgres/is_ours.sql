-- Reads whether the transaction is still the one that was begun for the claim.
-- Parameters: none.
-- Always returns one row. False or null: the handler has ended that transaction, or has reset every
-- setting of the session.
select current_setting('idem.key_is_ours', true) = 'true';
