-- +goose Up
-- A deleted player keeps the row, with a name that says so and a name_key that no name has.
alter table players add column deleted_at timestamptz;

-- The deletions that players have asked for. The row is gone when the deletion is carried out, or when the player has
-- changed their mind.
create table deletions (
    player_id    uuid        primary key references players,
    requested_at timestamptz not null,
    due_at       timestamptz not null
);
create index deletions_due on deletions (due_at);

-- The names of players who were banned when they were deleted, as SHA-256 (player.NameHash). No login takes such a name
-- while the player is banned.
create table banned_names (
    name_hash bytea not null check (octet_length(name_hash) = 32),
    player_id uuid  not null references players,
    primary key (name_hash, player_id)
);
create index banned_names_by_player on banned_names (player_id);

-- +goose Down
drop table banned_names;
drop table deletions;
alter table players drop column deleted_at;
