-- +goose Up

-- A row is a version of a map of the game. The rows of before are version 1, as are the rows that an older release
-- inserts during an upgrade; its unique game map id keeps its name.
alter table maps
    add column map_version integer not null default 1 check (map_version > 0),
    -- True while a newer version exists that is not removed.
    add column superseded  boolean not null default false,
    -- True for a map that searches find and totals count.
    add column listed      boolean not null generated always as (removed_at is null and not superseded) stored,
    -- The drawing of the map: SVG, and WebP in two sizes. All null where the map is not drawn.
    add column drawing_key           text,
    add column picture_key           text,
    add column picture_thumbnail_key text,
    add column picture_bucket        text,
    -- True for a map that the service has to draw in the background.
    add column drawing_due boolean not null default true,
    drop constraint maps_game_map_id,
    add constraint maps_game_map_id unique (game_map_id, map_version),
    add constraint maps_fingerprint unique (game_map_id, fingerprint),
    add constraint maps_drawing check (num_nulls(drawing_key, picture_key, picture_thumbnail_key, picture_bucket) in (0, 4)),
    drop constraint maps_pictures,
    add constraint maps_pictures check (num_nulls(image_key, thumbnail_key) in (0, 2)
        and (image_key is not null or picture_key is not null or removed_at is not null));

drop index maps_by_name, maps_by_created, maps_by_search_key, maps_by_tags, maps_by_mode, maps_by_author,
    maps_removed_by_author;
create index maps_by_name       on maps (search_key, id)                               where listed;
create index maps_by_created    on maps (created_at, id)                               where listed;
create index maps_by_id         on maps (id) include (updated_at)                      where listed;
create index maps_by_search_key on maps using gin ((' ' || search_key) gin_trgm_ops)   where listed;
create index maps_by_tags       on maps using gin (tags)                               where listed;
create index maps_by_mode       on maps (game_mode, created_at, id)                    where listed;
create index maps_by_author     on maps (author_id);
create index maps_to_draw       on maps (id)                                           where drawing_due and removed_at is null;
-- For the sweeper.
create index maps_by_drawing           on maps (drawing_key)           where drawing_key is not null;
create index maps_by_picture           on maps (picture_key)           where picture_key is not null;
create index maps_by_picture_thumbnail on maps (picture_thumbnail_key) where picture_thumbnail_key is not null;

-- +goose StatementBegin
create or replace function count_tags() returns trigger language plpgsql as $$
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
drop trigger count_tags on maps;
create trigger count_tags after insert or delete or update of tags, removed_at, superseded on maps
    for each row execute function count_tags();

-- +goose Down
-- An older release knows one version of a map and needs an uploaded image: this fails where there are others.
drop trigger count_tags on maps;
-- +goose StatementBegin
create or replace function count_tags() returns trigger language plpgsql as $$
begin
    insert into tag_counts as c (tag, maps)
        select tag, sum(change)
        from (
            select unnest(old.tags), -1 where tg_op <> 'INSERT' and old.removed_at is null
            union all
            select unnest(new.tags), 1 where tg_op <> 'DELETE' and new.removed_at is null
        ) as changes (tag, change)
        group by tag having sum(change) <> 0
        order by tag
        on conflict (tag) do update set maps = c.maps + excluded.maps;
    return null;
end
$$;
-- +goose StatementEnd
create trigger count_tags after insert or delete or update of tags, removed_at on maps
    for each row execute function count_tags();
drop index maps_by_name, maps_by_created, maps_by_search_key, maps_by_tags, maps_by_mode, maps_by_author;
alter table maps
    drop constraint maps_pictures,
    drop constraint maps_game_map_id,
    drop column listed, drop column map_version, drop column superseded,
    drop column drawing_key, drop column picture_key, drop column picture_thumbnail_key, drop column picture_bucket,
    drop column drawing_due,
    drop constraint maps_fingerprint,
    add constraint maps_game_map_id unique (game_map_id),
    add constraint maps_pictures check (num_nulls(image_key, thumbnail_key) = 0 or removed_at is not null);
create index maps_by_name           on maps (search_key, id) where removed_at is null;
create index maps_by_created        on maps (created_at, id) where removed_at is null;
create index maps_by_search_key     on maps using gin ((' ' || search_key) gin_trgm_ops) where removed_at is null;
create index maps_by_tags           on maps using gin (tags) where removed_at is null;
create index maps_by_mode           on maps (game_mode, created_at, id) where removed_at is null;
create index maps_by_author         on maps (author_id) where removed_at is null;
create index maps_removed_by_author on maps (author_id) where removed_at is not null;
