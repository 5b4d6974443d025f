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

-- All the refresh tokens that came from one login.
create table families (
    id         uuid        primary key,
    player_id  uuid        not null,
    created_at timestamptz not null,
    -- When the newest token expires, and with it the family.
    expires_at timestamptz not null,
    revoked_at timestamptz,
    -- logout, reuse, merge, deletion
    revoked_by text,
    check ((revoked_at is null) = (revoked_by is null))
);

create table refresh_tokens (
    -- The SHA-256 of the token, which itself is kept nowhere.
    hash       bytea       primary key check (octet_length(hash) = 32),
    family_id  uuid        not null references families on delete cascade,
    expires_at timestamptz not null,
    -- When this token, or another one of the family that was unused at that time, was exchanged.
    used_at    timestamptz
);

create table personal_tokens (
    id           uuid        primary key,
    -- The SHA-256 of the token, which itself is kept nowhere.
    hash         bytea       not null unique check (octet_length(hash) = 32),
    player_id    uuid        not null,
    name         text        not null check (char_length(name) between 1 and 50),
    scopes       text[]      not null check (cardinality(scopes) between 1 and 4),
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    -- By day, so that it is written once a day at most.
    last_used_on date,
    revoked_at   timestamptz,
    -- player, ban, merge, deletion
    revoked_by   text,
    check ((revoked_at is null) = (revoked_by is null))
);

-- Also what has ended or was revoked, for the export of a player's data.
create index families_by_player on families (player_id, id);
create index personal_tokens_by_player on personal_tokens (player_id, id);
create index families_by_expiry on families (expires_at);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);
create index personal_tokens_by_end on personal_tokens ((least(revoked_at, expires_at)));
create index refresh_tokens_by_family on refresh_tokens (family_id);
