-- Creates what the service writes, where it is not there yet. Both databases read it as it stands.
create table if not exists refunds (
    tenant_id text   not null,
    refund_id text   not null,
    order_id  text   not null,
    amount    bigint not null,
    currency  text   not null,
    primary key (tenant_id, refund_id)
);

-- Two postings a refund; the sum of a tenant's postings is always zero.
create table if not exists ledger (
    tenant_id text   not null,
    refund_id text   not null,
    account   text   not null,
    amount    bigint not null
);
