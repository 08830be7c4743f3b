-- Claims of a long window that ended as done.
select count(*) from processed_operations where workflow like 'long-%' and status = 'done';
