-- Creates the scratch table whose rows stand for a workflow's local effects.
create table idem_drill_effects (
    effect varchar(255) not null,
    event  longtext     not null
)
engine = innodb default character set utf8mb4 collate utf8mb4_bin;
