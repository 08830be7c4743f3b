-- Creates the bookkeeping of the hand-written protocols that a drill is tried on.
create table idem_drill_keys (
    key        text    not null collate binary primary key,
    request    text    not null,
    status     text    not null check (status in ('in_flight', 'done', 'failed')),
    fence      integer not null,
    lease_over integer not null default 0
) strict;
