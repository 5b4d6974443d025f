-- +goose Up

-- Every accepted run, for good: one that was removed keeps its row, so that its replay stays refused.
create table runs (
    id             uuid    primary key,
    -- The order in which runs of one map were accepted. It is drawn under the map's lock (map_totals).
    seq            bigint  generated always as identity,
    map_id         uuid    not null,
    player_id      uuid    not null,
    -- Milliseconds.
    finish_time    integer not null check (finish_time > 0),
    -- When the run was made, as its replay says.
    finish_stamp   timestamptz not null,
    -- Hexadecimal SHA-256 of the replay's bytes: the same file is taken once.
    replay_hash    text    collate "C" not null constraint runs_replay unique,
    -- When the run was taken in. Nothing that is shown of a run ever changes.
    created_at     timestamptz not null,
    removed_at     timestamptz,
    removed_reason text,
    -- Two runs of a map that end in the same frame at the same moment are one run. Everything on a map has the map's
    -- physics, so that no new decoration or spelling of the map data passes a copied run off as another.
    constraint runs_moment unique (map_id, finish_time, finish_stamp),
    constraint runs_removed check (num_nulls(removed_at, removed_reason) in (0, 2))
);

-- The lists of all runs and of a player's, each in two orders. They know the map, because runs of a map that was
-- taken down are passed over.
create index runs_newest            on runs (created_at, id)                           include (map_id) where removed_at is null;
create index runs_fastest           on runs (finish_time, finish_stamp, id)            include (map_id) where removed_at is null;
create index runs_of_player_newest  on runs (player_id, created_at, id)                include (map_id) where removed_at is null;
create index runs_of_player_fastest on runs (player_id, finish_time, finish_stamp, id) include (map_id) where removed_at is null;
-- A player's next-best run, where the best is removed.
create index runs_of_player_on_map  on runs (map_id, player_id, finish_time, seq) where removed_at is null;

-- The leaderboards: each player's best run on each map that stands.
create table bests (
    map_id       uuid    not null,
    player_id    uuid    not null,
    run_id       uuid    not null references runs,
    finish_time  integer not null,
    finish_stamp timestamptz not null,
    created_at   timestamptz not null,
    -- How many runs of the player on the map stand.
    runs         integer not null check (runs > 0),
    -- A player's row is read from the index alone. What it includes makes it cheaper than bests_board in the eyes of
    -- the planner, who would else walk whole leaderboards for one row, as long as the usual one is short.
    primary key (map_id, player_id) include (run_id, finish_time, finish_stamp, created_at)
) with (fillfactor = 90);
-- A page is read from the index alone.
create index bests_board on bests (map_id, finish_time, finish_stamp, run_id) include (player_id, created_at);

-- How many players' best runs lie in each stretch of finish times of a leaderboard (see internal/postgres/stretch.go): what
-- lies before a page or a run is a short sum instead of a long count.
create table stretches (
    map_id  uuid    not null,
    -- The shortest finish time of the stretch, in milliseconds.
    start   integer not null,
    players integer not null check (players >= 0),
    primary key (map_id, start)
) with (fillfactor = 70);

-- What a map has. Its row is the lock of everything that belongs to the map: runs, bests and stretches.
create table map_totals (
    map_id  uuid   primary key,
    -- Raised by one at each change (state.v1.mapstats.<id>).
    version bigint not null,
    -- Runs and players of a map that was taken down are none.
    runs    bigint not null check (runs >= 0),
    players bigint not null check (players >= 0)
) with (fillfactor = 70);

-- What a player has, on maps that stand. Locked after the maps' row and in the order of ids.
create table player_totals (
    player_id uuid   primary key,
    -- Raised by one at each change (state.v1.playerstats.<id>).
    version   bigint not null,
    runs      bigint not null check (runs >= 0)
) with (fillfactor = 70);

-- What the whole site has. Everybody who submits counts here, so that each total is kept in several rows and is
-- their sum. Locked last, one row a transaction.
create table site_totals (
    total text     not null check (total in ('maps', 'players', 'runs')),
    shard smallint not null,
    count bigint   not null,
    primary key (total, shard)
) with (fillfactor = 50);

-- A copy of state.v1.map.<id>, by version. A tombstone has nothing but its version.
create table maps (
    id           uuid    primary key,
    version      bigint  not null,
    removed      boolean not null default false,
    name         text    not null default '',
    bonk_db_id   bigint  not null default 0,
    -- Hexadecimal hash of everything in the map that affects physics.
    fingerprint  text    not null default '',
    -- Milliseconds; all 0 when the author has not set any.
    medal_author integer not null default 0,
    medal_gold   integer not null default 0,
    medal_silver integer not null default 0,
    medal_bronze integer not null default 0
);
-- Its owner keeps it unique, here it may pass through two rows.
create index maps_by_bonk_db_id on maps (bonk_db_id) where not removed;
create index maps_removed       on maps (id)         where removed;

-- A copy of state.v1.player.<id>, by version. A tombstone has nothing but its version.
create table players (
    id             uuid    primary key,
    version        bigint  not null,
    removed        boolean not null default false,
    name           text    not null default '',
    skin_image_url text    not null default '',
    skin_color     text    not null default '',
    registered     boolean not null default false,
    banned         boolean not null default false
);

-- +goose Down
drop table players;
drop table maps;
drop table site_totals;
drop table player_totals;
drop table map_totals;
drop table stretches;
drop table bests;
drop table runs;
