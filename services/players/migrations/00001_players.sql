-- +goose Up

create table players (
    id         uuid   primary key,
    -- Raised by one at each change of what others may see (state.v1.player.<id>).
    version    bigint not null,
    name       text   not null,
    -- playername.Key: one row for everything that is the same name.
    name_key   text   collate "C" not null constraint players_name_key unique,
    level      int    not null default 0 check (level >= 0),
    -- The game's avatar as JSON, as text: it is handed on, never looked into here,
    -- and json would refuse what its parser finds too deep.
    skin       text,
    skin_color text   check (skin_color ~ '^#[0-9a-f]{6}$'),
    -- Where the avatar image lies in the bucket.
    avatar_key text,
    roles      text[] not null default '{}',
    -- False for a placeholder: a map's author who has never logged in.
    registered boolean not null,
    banned     boolean not null default false,
    ban_reason text   not null default '',
    created_at timestamptz not null,
    updated_at timestamptz not null,
    -- searchkey.Key of the name, by which players are searched and sorted, and its grams.
    search_key text   collate "C" not null,
    grams      text[] collate "C" not null
);

-- A search looks only at registered players: one index for each way to sort, which
-- also knows the search key, so that passing over what does not match stays in the
-- index; and one that finds the names with some grams.
create index players_by_name    on players (search_key, id)                      where registered;
create index players_by_level   on players (level, id)      include (search_key) where registered;
create index players_by_created on players (created_at, id) include (search_key) where registered;
create index players_by_updated on players (updated_at, id) include (search_key) where registered;
create index players_by_grams   on players using gin (grams)                     where registered;

-- For the sweeper, and for the question whether any admin is left.
create index players_by_avatar on players (avatar_key) where avatar_key is not null;
create index players_admins    on players (id) where 'admin' = any (roles);

-- How many registered players have each gram in their search key; '' is in everyone's.
-- A page's total is read here instead of counted, and so is whether a term is rare.
create table search_totals (
    gram    text   collate "C" primary key,
    players bigint not null
);

-- A copy of each map's author, by version. Null is the author of a map that was removed.
create table map_authors (
    map_id    uuid   primary key,
    version   bigint not null,
    author_id uuid
);
create index map_authors_by_author on map_authors (author_id) where author_id is not null;

-- What each player has. No foreign key: totals may arrive before the player does.
create table player_totals (
    player_id       uuid   primary key,
    -- The maps in map_authors, counted as they come and go.
    maps            bigint not null default 0,
    -- A copy of state.v1.playerstats.<id>, by version.
    records         bigint not null default 0,
    records_version bigint not null default 0
);

-- +goose Down
drop table player_totals;
drop table map_authors;
drop table search_totals;
drop table players;
