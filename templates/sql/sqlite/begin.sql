-- Begins a transaction that owns the database's one writer from the start: a transaction that
-- begins by reading could be refused at its first write.
begin immediate;
