-- Creates the list of migrations, where it is not there yet. A migration without a moment was begun
-- and is not known to be applied: a statement that changes tables commits at once, so the two cannot
-- be one transaction.
create table if not exists idem_migrations (
    version    int          not null primary key,
    name       varchar(255) not null,
    applied_at datetime(6)
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;
