-- Writes down who changed a key by hand, and why.
-- Parameters: 1 key, 2 who, 3 the change: resolve, retry or forget, 4 status before, 5 status after, or
-- null when forgotten, 6 fence before, 7 attempt before, 8 the note.
insert into operation_settlements (
    idempotency_key, settled_at, settled_by, `change`, old_status, new_status, old_fence, old_attempt, note
)
values (?/*1*/, utc_timestamp(6), ?/*2*/, ?/*3*/, ?/*4*/, ?/*5*/, ?/*6*/, ?/*7*/, ?/*8*/);
