-- +goose Up
-- Maps of the game that operators have imported (maps import) and that wait for a replay. They are no maps: the site has
-- their names only.
create table listed_maps (
    id          uuid        primary key,
    game_map_id bigint      not null constraint listed_maps_game_map_id unique check (game_map_id > 0),
    name        text        not null,
    -- search.Key of the name.
    search_key  text        collate "C" not null,
    -- Names of accounts of the game, who need not be players.
    authors     text[]      not null,
    -- An https address, or empty.
    page        text        not null,
    imported_at timestamptz not null,
    updated_at  timestamptz not null,
    -- The newest version of the map on the site. Null while there is none; only then the map is on the list.
    map_id      uuid        references maps
);
create index listed_maps_by_name       on listed_maps (search_key, id)                             where map_id is null;
create index listed_maps_by_search_key on listed_maps using gin ((' ' || search_key) gin_trgm_ops) where map_id is null;

-- +goose Down
drop table listed_maps;
