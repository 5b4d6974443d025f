-- +goose Up

create table maps (
    id               uuid   primary key,
    -- Raised by one at each change of what others may see (state.v1.map.<id>).
    version          bigint not null,
    -- The game's own id. A removed map keeps it, so that it cannot be submitted again.
    bonk_db_id       bigint not null constraint maps_bonk_db_id unique check (bonk_db_id > 0),
    name             text   not null,
    -- A display name: Classic, Grapple, VTOL, Arrows, Death Arrows, Simple.
    game_mode        text   not null,
    author_id        uuid   not null,
    submitted_by_id  uuid   not null,
    description      text   not null,
    tags             text[] not null,
    -- Milliseconds; all null when the author has not set any.
    medal_author     bigint,
    medal_gold       bigint,
    medal_silver     bigint,
    medal_bronze     bigint,
    contributors     text[] not null,
    -- All null when the map is nobody's remix.
    remix_bonk_db_id bigint,
    remix_name       text,
    remix_author     text,
    fingerprint      text   not null,
    -- Where the files lie in the bucket. The pictures of a removed map are gone.
    image_key        text,
    thumbnail_key    text,
    replay_key       text   not null,
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    removed_at       timestamptz,
    -- searchkey.Key of the name and of the author's name.
    search_key       text   collate "C" not null,
    author_key       text   collate "C" not null,
    -- Everything that a search can ask of the map in one word each: its mode, author and tags, and
    -- the grams of both keys (see internal/postgres/facet.go). A removed map has none.
    facets           text[] collate "C" not null,
    constraint maps_medals check (num_nulls(medal_author, medal_gold, medal_silver, medal_bronze) in (0, 4)
        and (medal_author is null or medal_author <= medal_gold and medal_gold <= medal_silver and medal_silver <= medal_bronze)),
    constraint maps_remix check (num_nulls(remix_bonk_db_id, remix_name, remix_author) in (0, 3)),
    constraint maps_pictures check (num_nulls(image_key, thumbnail_key) = 0 or removed_at is not null)
);

-- One index for each way to sort (by records: map_stats), one for all that can be asked.
create index maps_by_name    on maps (search_key, id) where removed_at is null;
create index maps_by_created on maps (created_at, id) where removed_at is null;
create index maps_by_facets  on maps using gin (facets) with (fastupdate = off);
-- For a player's new name.
create index maps_by_author  on maps (author_id) where removed_at is null;
-- For the sweeper.
create index maps_by_image     on maps (image_key)     where image_key is not null;
create index maps_by_thumbnail on maps (thumbnail_key) where thumbnail_key is not null;
create index maps_by_replay    on maps (replay_key);

-- The map as the game writes it, apart from what is searched.
create table map_data (
    map_id  uuid primary key references maps,
    encoded text not null
);

-- How many maps have each facet; '' is everyone's. A total is read here instead of counted.
create table search_totals (
    facet text   collate "C" primary key,
    maps  bigint not null
);
create index search_totals_of_tags on search_totals (maps desc, facet) where starts_with(facet, 'tag:');

-- A copy of state.v1.mapstats.<id>, by version. No foreign key: it may arrive before the map does.
create table map_stats (
    map_id  uuid   primary key,
    version bigint not null default 0,
    records bigint not null default 0,
    -- True for a map that is in the catalogue.
    listed  boolean not null default false
);
create index maps_by_records on map_stats (records, map_id) where listed;

-- A copy of state.v1.player.<id>, by version. A tombstone is kept, for its version.
create table players (
    id             uuid    primary key,
    version        bigint  not null,
    removed        boolean not null,
    name           text    not null,
    -- playername.Key. Its owner keeps it unique, here it may pass through two rows.
    name_key       text    collate "C" not null,
    skin_image_url text    not null,
    skin_color     text    not null,
    banned         boolean not null
);
create index players_by_name on players (name_key) where not removed;

-- +goose Down
drop table players;
drop table map_stats;
drop table search_totals;
drop table map_data;
drop table maps;
