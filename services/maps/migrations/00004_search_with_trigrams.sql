-- +goose Up
create extension if not exists pg_trgm;

-- The game's id of a map has one name everywhere.
alter table maps rename column bonk_db_id to game_map_id;
alter table maps rename column remix_bonk_db_id to remix_game_map_id;
alter table maps rename constraint maps_bonk_db_id to maps_game_map_id;

-- search.Key of the player's name. Of a name in ASCII it is the name's key with single blanks; of the others, the
-- authors' maps have it.
alter table players add column search_key text collate "C";
update players p set search_key = coalesce(
    (select m.author_key from maps m where m.author_id = p.id and m.removed_at is null and m.author_key <> '' limit 1),
    regexp_replace(p.name_key, ' +', ' ', 'g'));
alter table players alter column search_key set not null;

drop index maps_by_facets;
drop table search_totals;
alter table maps
    drop column facets,
    drop column author_key;

-- One index for each filter. The blank finds beginnings of words (platform/search).
create index maps_by_search_key    on maps    using gin ((' ' || search_key) gin_trgm_ops) where removed_at is null;
create index maps_by_tags          on maps    using gin (tags)                             where removed_at is null;
create index maps_by_mode          on maps    (game_mode, created_at, id)                  where removed_at is null;
create index players_by_search_key on players using gin ((' ' || search_key) gin_trgm_ops);

-- How many maps of the catalogue have each tag, counted by the trigger below.
create table tag_counts (
    tag  text   collate "C" primary key,
    maps bigint not null
);
insert into tag_counts (tag, maps)
    select tag, count(*) from maps cross join unnest(tags) as tag where removed_at is null group by tag;
create index tag_counts_by_maps on tag_counts (maps desc, tag);

-- +goose StatementBegin
create function count_tags() returns trigger language plpgsql as $$
begin
    -- The rows are locked in one order, so that two transactions never wait for each other in a circle.
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

-- +goose Down
-- The columns are made without their contents: an older release fills them by "maps rebuild".
drop trigger count_tags on maps;
drop function count_tags;
drop table tag_counts;
drop index players_by_search_key, maps_by_mode, maps_by_tags, maps_by_search_key;
alter table maps
    add column author_key text   collate "C" not null default '',
    add column facets     text[] collate "C" not null default '{}';
create index maps_by_facets on maps using gin (facets) with (fastupdate = off);
create table search_totals (
    facet text   collate "C" primary key,
    maps  bigint not null
);
create index search_totals_of_tags on search_totals (maps desc, facet) where starts_with(facet, 'tag:');
alter table players drop column search_key;
alter table maps rename constraint maps_game_map_id to maps_bonk_db_id;
alter table maps rename column remix_game_map_id to remix_bonk_db_id;
alter table maps rename column game_map_id to bonk_db_id;
