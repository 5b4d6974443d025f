-- Deliveries are sent in the order in which they were added, and how often a player has something sent is limited.

-- +goose Up

alter table webhook_deliveries
    add column sequence   bigint generated always as identity,
    -- Until when a delivery that has failed is sent before later ones.
    add column held_until timestamptz;
drop index webhook_deliveries_newest;
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, sequence desc);
drop index webhook_deliveries_waiting;
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, sequence) where next_try_at is not null;

-- How often a player has used addresses since a time.
create table webhook_uses (
    player_id uuid        primary key,
    since     timestamptz not null,
    count     integer     not null
);

-- +goose Down

drop table webhook_uses;
drop index webhook_deliveries_waiting;
drop index webhook_deliveries_newest;
alter table webhook_deliveries drop column sequence, drop column held_until;
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_try_at) where next_try_at is not null;
