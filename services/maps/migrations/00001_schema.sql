-- +goose Up
create extension if not exists pg_trgm;

-- A row is a version of a map of the game.
create table maps (
    id                    uuid    primary key,
    -- Raised by one at each change of what others may see (state.v1.map.<id>).
    version               bigint  not null,
    -- The game's own id. A removed map keeps it.
    game_map_id           bigint  not null check (game_map_id > 0),
    map_version           integer not null default 1 check (map_version > 0),
    -- True while a newer version exists that is not removed.
    superseded            boolean not null default false,
    name                  text    not null,
    -- search.Key of the name.
    search_key            text    collate "C" not null,
    -- A display name: Classic, Grapple, VTOL, Arrows, Death Arrows, Simple.
    game_mode             text    not null,
    author_id             uuid    not null,
    submitted_by_id       uuid    not null,
    description           text    not null,
    tags                  text[]  not null,
    contributors          text[]  not null,
    -- Milliseconds; all null when the author has not set any.
    medal_author          bigint,
    medal_gold            bigint,
    medal_silver          bigint,
    medal_bronze          bigint,
    -- All null when the map is nobody's remix.
    remix_game_map_id     bigint,
    remix_name            text,
    remix_author          text,
    -- Hexadecimal hash of everything in the map that affects physics.
    fingerprint           text    not null,
    -- Where the files lie in the bucket. The image and its thumbnail are the uploaded ones.
    replay_key            text    not null,
    image_key             text,
    thumbnail_key         text,
    -- The drawing of the map: SVG, and WebP in two sizes. All null where the map is not drawn.
    drawing_key           text,
    picture_key           text,
    picture_thumbnail_key text,
    picture_bucket        text,
    -- True for a map that the service has to draw in the background.
    drawing_due           boolean not null default false,
    unranked              boolean not null default false,
    -- Why moderators have unranked a version, empty where an operator has.
    unranked_reason       text    not null default '',
    created_at            timestamptz not null,
    updated_at            timestamptz not null,
    removed_at            timestamptz,
    -- True for a map that searches find and totals count.
    listed                boolean not null generated always as (removed_at is null and not superseded) stored,
    constraint maps_game_map_id unique (game_map_id, map_version),
    constraint maps_fingerprint unique (game_map_id, fingerprint),
    constraint maps_medals check (num_nulls(medal_author, medal_gold, medal_silver, medal_bronze) in (0, 4)
        and (medal_author is null
            or medal_author <= medal_gold and medal_gold <= medal_silver and medal_silver <= medal_bronze)),
    constraint maps_remix check (num_nulls(remix_game_map_id, remix_name, remix_author) in (0, 3)),
    constraint maps_drawing
        check (num_nulls(drawing_key, picture_key, picture_thumbnail_key, picture_bucket) in (0, 4)),
    constraint maps_pictures check (num_nulls(image_key, thumbnail_key) in (0, 2)
        and (image_key is not null or picture_key is not null))
);

-- The map as the game writes it, apart from what is searched.
create table map_data (
    map_id  uuid primary key references maps,
    encoded text not null
);

-- What authors and moderators have changed of maps, without submitting them again.
create table map_edits (
    id                   uuid        primary key,
    map_id               uuid        not null references maps,
    at                   timestamptz not null,
    editor_id            uuid        not null,
    -- The description, tags, medal times and keys of the uploaded picture before and after (parkourmap.EditedValues).
    before               jsonb       not null,
    after                jsonb       not null,
    -- The replaced picture, which is kept as long as the edit and not served. Null where it was not replaced, or was
    -- the drawing.
    before_image_key     text,
    before_thumbnail_key text,
    -- The edit that this one undoes, which may be deleted, and why.
    undoes               uuid,
    reason               text        not null default ''
);

-- The replays with which maps were submitted again. The records service makes records of them.
create table update_replays (
    replay_key text primary key,
    map_id     uuid not null references maps
);

-- How many listed maps have each tag. A trigger on maps keeps it.
create table tag_counts (
    tag  text   collate "C" primary key,
    maps bigint not null
);

-- A copy of state.v1.mapstats.<id>, by version. No foreign key: it may arrive before the map does.
create table map_stats (
    map_id                 uuid    primary key,
    version                bigint  not null default 0,
    records                bigint  not null default 0,
    -- True for a map that is listed.
    listed                 boolean not null default false,
    -- The world record. All null on a map without records.
    world_record_id        uuid,
    world_record_player_id uuid,
    world_record_time      bigint,
    constraint map_stats_world_record
        check (num_nulls(world_record_id, world_record_player_id, world_record_time) in (0, 3))
);

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
    created_at        timestamptz not null default now(),
    -- playername.Key. Its owner keeps it unique, here it may pass through two rows.
    name_key          text        collate "C" not null default '',
    -- search.Key of the name.
    search_key        text        collate "C" not null default '',
    -- True for a deleted player whose texts are deleted. What others write for the player's maps afterwards stays.
    forgotten         boolean     not null default false
);

-- Maps of the game that operators have imported (maps import) and that wait for a replay. They are no maps: the site
-- has their names only.
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

-- search_letters returns the characters outside of ASCII. Trigrams have none of them where the database's character
-- type is C.
create function search_letters(search_key text) returns text[] immutable parallel safe language sql
    return string_to_array(regexp_replace(search_key, '[ -~]+', '', 'g'), null);

-- One index for each way to sort (by records: map_stats) and for each filter. The blank finds beginnings of words
-- (platform/search).
create index maps_by_name           on maps (search_key, id)                             where listed;
create index maps_by_created        on maps (created_at, id)                             where listed;
create index maps_by_id             on maps (id) include (updated_at)                    where listed;
create index maps_by_search_key     on maps using gin ((' ' || search_key) gin_trgm_ops) where listed;
create index maps_by_search_letters on maps using gin (search_letters(search_key))       where listed;
create index maps_by_tags           on maps using gin (tags)                             where listed;
create index maps_by_mode           on maps (game_mode, created_at, id)                  where listed;
create index maps_by_author         on maps (author_id);
create index maps_by_submitter      on maps (submitted_by_id);
create index maps_to_draw           on maps (id)                                         where drawing_due;
-- For the sweeper.
create index maps_by_replay            on maps (replay_key);
create index maps_by_image             on maps (image_key)             where image_key is not null;
create index maps_by_thumbnail         on maps (thumbnail_key)         where thumbnail_key is not null;
create index maps_by_drawing           on maps (drawing_key)           where drawing_key is not null;
create index maps_by_picture           on maps (picture_key)           where picture_key is not null;
create index maps_by_picture_thumbnail on maps (picture_thumbnail_key) where picture_thumbnail_key is not null;

create index map_edits_of_map       on map_edits (map_id, at desc, id desc);
create index map_edits_by_editor    on map_edits (editor_id);
create index map_edits_by_image     on map_edits (before_image_key)     where before_image_key is not null;
create index map_edits_by_thumbnail on map_edits (before_thumbnail_key) where before_thumbnail_key is not null;

create index tag_counts_by_maps on tag_counts (maps desc, tag);
create index maps_by_records on map_stats (records, map_id) where listed;

create index players_by_name           on players (name_key) where not removed;
create index players_by_search_key     on players using gin ((' ' || search_key) gin_trgm_ops);
create index players_by_search_letters on players using gin (search_letters(search_key));
create index players_merged_into       on players (merged_into) where merged_into is not null;

create index listed_maps_by_name on listed_maps (search_key, id) where map_id is null;
create index listed_maps_by_search_key on listed_maps using gin ((' ' || search_key) gin_trgm_ops)
    where map_id is null;
create index listed_maps_by_search_letters on listed_maps using gin (search_letters(search_key))
    where map_id is null;

-- +goose StatementBegin
create function count_tags() returns trigger language plpgsql as $$
begin
    -- The rows are locked in one order, so that two transactions never wait for each other in a circle.
    insert into tag_counts as c (tag, maps)
        select tag, sum(change)
        from (
            select unnest(old.tags), -1 where tg_op <> 'INSERT' and old.listed
            union all
            select unnest(new.tags), 1 where tg_op <> 'DELETE' and new.listed
        ) as changes (tag, change)
        group by tag having sum(change) <> 0
        order by tag
        on conflict (tag) do update set maps = c.maps + excluded.maps;
    return null;
end
$$;
-- +goose StatementEnd

create trigger count_tags after insert or delete or update of tags, removed_at, superseded on maps
    for each row execute function count_tags();
