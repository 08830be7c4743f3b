-- Creates the bookkeeping of the hand-written protocols that a drill is tried on.
create table idem_drill_keys (
    `key`      varchar(255) not null primary key,
    request    text         not null,
    status     varchar(16)  not null check (status in ('in_flight', 'done', 'failed')),
    fence      bigint       not null,
    lease_over int          not null default 0
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;
