-- Follows, inboxes, and the copies of players and maps.

-- +goose Up

-- Copies of players. merged_into is never the id of a player who was merged.
create table players (
    id             uuid    primary key,
    version        bigint  not null,
    removed        boolean not null,
    merged_into    uuid,
    name           text    not null,
    skin_image_url text    not null,
    skin_color     text    not null,
    roles          text[]  not null,
    registered     boolean not null,
    banned         boolean not null
);
create index players_merged_into on players (merged_into) where merged_into is not null;

-- Copies of versions of maps. A tombstone keeps what was known.
create table maps (
    id          uuid    primary key,
    version     bigint  not null,
    removed     boolean not null,
    name        text    not null,
    game_map_id bigint  not null,
    author_id   uuid,
    superseded  boolean not null
);
create index maps_game_map_id on maps (game_map_id, id);

create table player_follows (
    follower_id uuid        not null,
    player_id   uuid        not null,
    created_at  timestamptz not null default now(),
    primary key (follower_id, player_id),
    constraint player_follows_self check (follower_id <> player_id)
);
create index player_follows_player on player_follows (player_id, follower_id);

-- A map is followed in all its versions.
create table map_follows (
    follower_id uuid        not null,
    game_map_id bigint      not null,
    created_at  timestamptz not null default now(),
    primary key (follower_id, game_map_id)
);
create index map_follows_map on map_follows (game_map_id, follower_id);

-- The number of the newest notification of each player. Its row is locked while notifications are added, so that
-- they become visible in the order of their numbers.
create table inboxes (
    player_id uuid   primary key,
    last      bigint not null
);

create table notifications (
    receiver_id uuid        not null,
    number      bigint      not null,
    kind        text        not null,
    cause_id    uuid        not null,
    subject_id  uuid        not null,
    -- Whose record it is.
    player_id   uuid,
    map_id      uuid,
    record_id   uuid,
    -- Milliseconds.
    finish_time integer,
    -- The receiver's places on the leaderboard, from 1.
    place_from  integer,
    place_to    integer,
    at          timestamptz not null,
    created_at  timestamptz not null default now(),
    read_at     timestamptz,
    primary key (receiver_id, number),
    constraint notifications_once unique (receiver_id, kind, cause_id),
    constraint notifications_own check (player_id <> receiver_id)
);
-- The unread groups of an inbox are counted from the index alone.
create index notifications_unread on notifications (receiver_id, kind, subject_id) where read_at is null;
create index notifications_created_at on notifications (created_at);
create index notifications_player on notifications (player_id) where player_id is not null;

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
create index removals_changed_at on removals (changed_at);

create table hidden_players (
    player_id  uuid        primary key,
    hidden     boolean     not null,
    changed_at timestamptz not null
);

-- +goose Down

drop table hidden_players;
drop table removals;
drop table settings;
drop table notifications;
drop table inboxes;
drop table map_follows;
drop table player_follows;
drop table maps;
drop table players;
