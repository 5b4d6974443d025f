-- +goose Up
create extension if not exists pg_trgm;

create table players (
    id                uuid    primary key,
    -- Raised by one at each change of what others may see (state.v1.player.<id>).
    version           bigint  not null,
    name              text    not null,
    -- playername.Key: one row for everything that is the same name. Null for a player who was merged: the name is free.
    name_key          text    collate "C" constraint players_name_key unique,
    -- search.Key of the name.
    search_key        text    collate "C" not null,
    -- The names of players who were merged into this one, as long as nobody else has them.
    former_names      text[]  not null default '{}',
    level             int     not null default 0 check (level >= 0),
    -- The game's avatar as JSON, as text: it is passed on and never parsed, and json would refuse what its parser finds
    -- too deep.
    skin              text,
    skin_color        text    check (skin_color ~ '^#[0-9a-f]{6}$'),
    -- Where the avatar image lies in the bucket.
    avatar_key        text,
    roles             text[]  not null default '{}',
    -- False for a placeholder: a map's author who has never logged in.
    registered        boolean not null,
    banned            boolean not null default false,
    ban_reason        text    not null default '',
    -- What the player is told, by the moderators' decision with the id. Both are empty for a ban by an operator.
    ban_public_reason text    not null default '',
    ban_decision_id   text    not null default '',
    -- When the ban ends by itself, and null for a ban without an end.
    ban_until         timestamptz,
    -- The language in which the player has the site, for the player alone. Null where none was chosen.
    language          text    check (language ~ '^[a-z]{2}$'),
    created_at        timestamptz not null,
    updated_at        timestamptz not null,
    -- Whom this player was merged into, permanently. Such a row is an old id and an old name, and nothing else.
    merged_into       uuid    references players,
    -- A deleted player keeps the row, with a name that says so and a name_key that no name has.
    deleted_at        timestamptz,
    constraint players_ban    check (
        banned or ban_until is null and '' = all (array[ban_reason, ban_public_reason, ban_decision_id])),
    constraint players_merged check (merged_into <> id),
    constraint players_named  check ((name_key is null) = (merged_into is not null))
);

-- playername.Key of each of players.former_names: whose a name was that is nobody's now.
create table former_names (
    name_key  text collate "C" primary key,
    player_id uuid not null references players
);

-- The deletions that players have asked for. The row is gone when the deletion is carried out, or when the player has
-- changed their mind.
create table deletions (
    player_id    uuid        primary key references players,
    requested_at timestamptz not null,
    due_at       timestamptz not null
);

-- The names of players who were banned when they were deleted, as SHA-256 (player.NameHash). No login takes such a name
-- while the player is banned.
create table banned_names (
    name_hash bytea not null check (octet_length(name_hash) = 32),
    player_id uuid  not null references players,
    primary key (name_hash, player_id)
);

-- A copy of each map's author, by version. Null is the author of a map that was removed.
create table map_authors (
    map_id    uuid   primary key,
    version   bigint not null,
    author_id uuid
);

-- What each player has. No foreign key: totals may arrive before the player does.
create table player_totals (
    player_id       uuid   primary key,
    -- The maps in map_authors, counted as they come and go.
    maps            bigint not null default 0,
    -- A copy of state.v1.playerstats.<id>, by version.
    records         bigint not null default 0,
    records_version bigint not null default 0
);

-- search_letters returns the characters outside of ASCII. Trigrams have none of them where the database's character
-- type is C.
create function search_letters(search_key text) returns text[] immutable parallel safe language sql
    return string_to_array(regexp_replace(search_key, '[ -~]+', '', 'g'), null);

-- A search has only registered players: one index for each way to sort, which also has the search key, so that skipping
-- what does not match stays in the index; and those that find names by a term. The blank finds beginnings of words
-- (platform/search).
create index players_by_name           on players (search_key, id)                             where registered;
create index players_by_level          on players (level, id)      include (search_key)        where registered;
create index players_by_created        on players (created_at, id) include (search_key)        where registered;
create index players_by_updated        on players (updated_at, id) include (search_key)        where registered;
create index players_by_search_key     on players using gin ((' ' || search_key) gin_trgm_ops) where registered;
create index players_by_search_letters on players using gin (search_letters(search_key))       where registered;
-- For the sweeper, and for the question whether any admin is left.
create index players_by_avatar   on players (avatar_key)  where avatar_key is not null;
create index players_admins      on players (id)          where 'admin' = any (roles);
create index players_bans        on players (ban_until)   where banned and ban_until is not null;
create index players_merged_into on players (merged_into) where merged_into is not null;

create index former_names_by_player on former_names (player_id);
create index deletions_due on deletions (due_at);
create index banned_names_by_player on banned_names (player_id);
create index map_authors_by_author on map_authors (author_id) where author_id is not null;
