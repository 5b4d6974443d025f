-- +goose Up

-- A copy of what everybody may know of players, by version (state.v1.player.<id>).
create table players (
    id             uuid    primary key,
    version        bigint  not null,
    name           text    not null,
    level          int     not null,
    skin_image_url text    not null,
    skin_color     text    not null,
    roles          text[]  not null,
    banned         boolean not null,
    -- A tombstone stays, so that an older state cannot bring the player back.
    removed        boolean not null
);

-- All the refresh tokens that came from one login.
create table families (
    id         uuid        primary key,
    player_id  uuid        not null,
    -- Raised by each rotation. Only tokens of the present generation can be rotated.
    generation bigint      not null,
    created_at timestamptz not null,
    -- When the newest token expires, and with it the family.
    expires_at timestamptz not null,
    revoked_at timestamptz,
    -- logout, reuse, ban
    revoked_by text,
    check ((revoked_at is null) = (revoked_by is null))
);
create index families_by_player on families (player_id) where revoked_at is null;
create index families_by_expiry on families (expires_at);

create table refresh_tokens (
    -- The SHA-256 of the token, which itself is kept nowhere.
    hash       bytea       primary key check (octet_length(hash) = 32),
    family_id  uuid        not null references families on delete cascade,
    generation bigint      not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
-- Finds when a token was used: when the next generation began.
create index refresh_tokens_by_generation on refresh_tokens (family_id, generation, created_at);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- +goose Down
drop table refresh_tokens;
drop table families;
drop table players;
