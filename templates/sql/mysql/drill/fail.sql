-- Turns every done row into one whose last attempt failed and left nothing behind.
-- Zero rows: no row is done.
update processed_operations
set
    completed_at = null,
    response_kind = null,
    response = null,
    response_version = null,
    status = 'failed'
where status = 'done';
