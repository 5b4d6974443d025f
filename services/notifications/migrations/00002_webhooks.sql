-- Webhooks and their deliveries.

-- +goose Up

create table webhooks (
    id                   uuid        primary key,
    owner_id             uuid        not null,
    url                  text        not null,
    format               text        not null,
    description          text        not null,
    -- The filter.
    types                text[]      not null,
    map_id               uuid,
    player_id            uuid,
    mode                 text,
    -- By what the webhooks that may select an event are found.
    selector             text        not null generated always as (
        coalesce(map_id::text, player_id::text, mode, '')) stored,
    enabled              boolean     not null,
    off_reason           text,
    -- Null for Discord.
    secret               bytea,
    previous_secret      bytea,
    previous_until       timestamptz,
    -- Attempts that failed since the last success, and when the first of them did.
    failures             integer     not null default 0,
    failing_since        timestamptz,
    -- When deliveries are due, null while none waits. Nothing is sent before paused_until.
    due_at               timestamptz,
    paused_until         timestamptz,
    -- The sender that has taken the deliveries, and until when.
    lease_id             uuid,
    leased_until         timestamptz,
    last_delivery_id     uuid,
    created_at           timestamptz not null
);
create index webhooks_owner on webhooks (owner_id, created_at);
create index webhooks_player on webhooks (player_id) where player_id is not null;
create index webhooks_selector on webhooks (selector) where enabled;
create index webhooks_due on webhooks ((failures > 0), due_at) where due_at is not null;

create table webhook_deliveries (
    webhook_id  uuid        not null references webhooks on delete cascade,
    id          uuid        not null,
    type        text        not null,
    body        bytea       not null,
    state       text        not null,
    tries       integer     not null default 0,
    status      integer,
    failure     text,
    created_at  timestamptz not null,
    last_try_at timestamptz,
    -- Null where it does not wait.
    next_try_at timestamptz,
    primary key (webhook_id, id),
    constraint webhook_deliveries_body check (octet_length(body) <= 20000)
);
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_try_at) where next_try_at is not null;
create index webhook_deliveries_created_at on webhook_deliveries (created_at);

-- +goose Down

drop table webhook_deliveries;
drop table webhooks;
