-- +goose Up

-- The copies of players, by version (platform/copies). A tombstone stays, so that no older state brings the player back.
create table players (
    id                uuid        primary key,
    version           bigint      not null,
    removed           boolean     not null default false,
    -- Set on the tombstone of a player who was merged into another: never the id of a player who was merged.
    merged_into       uuid,
    name              text        not null default '',
    -- Null where there are none.
    former_names      text[],
    level             integer     not null default 0,
    skin_image_url    text        not null default '',
    skin_color        text        not null default '',
    roles             text[]      not null default '{}',
    registered        boolean     not null default false,
    banned            boolean     not null default false,
    -- What a banned player is told. ban_until is null for a ban without an end; the others are empty for a ban by an
    -- operator.
    ban_until         timestamptz,
    ban_public_reason text        not null default '',
    ban_decision_id   text        not null default '',
    -- True for a player whose account was deleted.
    deleted           boolean     not null default false,
    created_at        timestamptz not null default now()
);

-- The copies of versions of maps (platform/copies). A tombstone keeps what was known.
create table maps (
    id          uuid    primary key,
    version     bigint  not null,
    removed     boolean not null,
    name        text    not null,
    game_map_id bigint  not null,
    author_id   uuid,
    superseded  boolean not null,
    unranked    boolean not null default false
);

create table player_follows (
    follower_id uuid        not null,
    player_id   uuid        not null,
    created_at  timestamptz not null default now(),
    primary key (follower_id, player_id),
    constraint player_follows_self check (follower_id <> player_id)
);

-- A map is followed in all its versions.
create table map_follows (
    follower_id uuid        not null,
    game_map_id bigint      not null,
    created_at  timestamptz not null default now(),
    primary key (follower_id, game_map_id)
);

-- The number of the newest notification of each player. Its row is locked while notifications are added, so that
-- they become visible in the order of their numbers.
create table inboxes (
    player_id uuid   primary key,
    last      bigint not null
);

create table notifications (
    receiver_id     uuid        not null,
    number          bigint      not null,
    kind            text        not null,
    cause_id        uuid        not null,
    subject_id      uuid        not null,
    -- Whose record it is.
    player_id       uuid,
    map_id          uuid,
    record_id       uuid,
    -- Milliseconds: of the record, and of the receiver's personal best that the record has passed.
    finish_time     integer,
    own_finish_time integer,
    -- The receiver's places on the leaderboard, from 1.
    place_from      integer,
    place_to        integer,
    -- The decision that a notification of its subject is about, and what was decided or answered.
    decision_id     uuid,
    decision        text,
    public_reason   text,
    appeal          text,
    -- The place of the fact in its stream.
    sequence        bigint      not null default 0,
    at              timestamptz not null,
    created_at      timestamptz not null default now(),
    read_at         timestamptz,
    primary key (receiver_id, number),
    constraint notifications_once unique (receiver_id, kind, cause_id),
    constraint notifications_own check (player_id <> receiver_id)
);

create table settings (
    player_id uuid not null,
    kind      text not null,
    delivery  text not null,
    primary key (player_id, kind)
);

-- What became of the records that caused notifications.
create table removals (
    record_id  uuid        primary key,
    removed    boolean     not null,
    changed_at timestamptz not null
);

create table hidden_players (
    player_id  uuid        primary key,
    hidden     boolean     not null,
    changed_at timestamptz not null
);

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
    -- True where the receiver took long to answer the last attempt.
    slow                 boolean     not null default false,
    -- When deliveries are due, null while none waits. Nothing is sent before paused_until.
    due_at               timestamptz,
    paused_until         timestamptz,
    -- The sender that has taken the deliveries, and until when.
    lease_id             uuid,
    leased_until         timestamptz,
    last_delivery_id     uuid,
    created_at           timestamptz not null
);

-- Deliveries are sent in the order in which they were added.
create table webhook_deliveries (
    webhook_id  uuid        not null references webhooks on delete cascade,
    id          uuid        not null,
    sequence    bigint      generated always as identity,
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
    -- Until when a delivery that has failed is sent before later ones.
    held_until  timestamptz,
    primary key (webhook_id, id),
    constraint webhook_deliveries_body check (octet_length(body) <= 20000)
);

-- How often a player has used addresses since a time.
create table webhook_uses (
    player_id uuid        primary key,
    since     timestamptz not null,
    count     integer     not null
);

-- What records have cost the players whom they have passed.
create table points_lost (
    player_id uuid        not null,
    record_id uuid        not null,
    -- Tenths of points on the record's map.
    points    integer     not null check (points > 0),
    at        timestamptz not null,
    primary key (player_id, record_id)
);

create index players_merged_into on players (merged_into) where merged_into is not null;
create index maps_game_map_id on maps (game_map_id, id);
create index player_follows_player on player_follows (player_id, follower_id);
create index map_follows_map on map_follows (game_map_id, follower_id);

-- The unread groups of an inbox are counted from the index alone.
create index notifications_unread on notifications (receiver_id, kind, subject_id) where read_at is null;
create index notifications_created_at on notifications (created_at);
create index notifications_player on notifications (player_id) where player_id is not null;

create index removals_changed_at on removals (changed_at);

create index webhooks_owner on webhooks (owner_id, created_at);
create index webhooks_player on webhooks (player_id) where player_id is not null;
create index webhooks_selector on webhooks (selector) where enabled;
create index webhooks_due on webhooks ((failures > 0 or slow), due_at) where due_at is not null;

create index webhook_deliveries_newest on webhook_deliveries (webhook_id, sequence desc);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, sequence) where next_try_at is not null;
create index webhook_deliveries_created_at on webhook_deliveries (created_at);

create index points_lost_at on points_lost (at);
