-- +goose Up
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
    -- player, leak, ban, merge, deletion
    revoked_by   text,
    check ((revoked_at is null) = (revoked_by is null))
);
create index personal_tokens_by_player on personal_tokens (player_id) where revoked_at is null;
create index personal_tokens_by_end on personal_tokens ((least(revoked_at, expires_at)));

-- +goose Down
drop table personal_tokens;
