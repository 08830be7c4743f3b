-- Reads the columns of the table, as the database knows them: name, type, whether null is refused.
-- Zero rows: there is no such table.
select attname::text, format_type(atttypid, atttypmod), attnotnull
from pg_attribute
where attrelid = to_regclass('processed_operations') and attnum > 0 and not attisdropped;
