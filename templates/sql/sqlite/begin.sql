-- Begins a transaction that owns the database's one writer from the start: a transaction that
-- begins by reading could be refused at its first write. The savepoint is what a doubtful attempt is
-- rolled back to, so that its end is recorded before anybody else can be the writer.
begin immediate;
savepoint idem_claim;
