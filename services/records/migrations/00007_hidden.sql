-- Players whose records are hidden, removed maps that come back, and finishes that are compared under a lock.

-- +goose Up

-- True while the records of the player are hidden: they are on no leaderboard and in no total. The row is locked by every
-- change of the player's records, so that none overlooks it.
alter table player_totals add column hidden boolean not null default false;
create index player_totals_hidden on player_totals (player_id) where hidden;

-- Null in copies from before. "records rebuild" and the next state of the player complete them.
alter table players add column roles text[];

-- True while the leaderboard of a map that was removed is made again. The map is not shown until that is done.
alter table maps add column restoring boolean not null default false;
-- The versions of a game's map, also the removed ones.
drop index maps_by_game_map_id;
create index maps_by_game_map_id on maps (game_map_id);

-- The lists of all records skip those of removed maps and of hidden players.
drop index records_newest;
drop index records_fastest;
create index records_newest  on records (created_at, id)               include (map_id, player_id) where removed_at is null;
create index records_fastest on records (finish_time, finished_at, id) include (map_id, player_id) where removed_at is null;

alter table records rename constraint records_moment to records_duplicate_finish;

-- rebuild_world_records computes the world records of a map from its active records.
-- +goose StatementBegin
create or replace function rebuild_world_records(of_map uuid) returns void language plpgsql as $$
begin
    delete from world_records where map_id = of_map;
    insert into world_records (map_id, finish_time, record_id, seq, since)
    select map_id, finish_time, id, seq, max(created_at) over (order by seq)
    from (
        select map_id, finish_time, id, seq, created_at, min(finish_time) over (
            order by seq rows between unbounded preceding and 1 preceding) as best_before
        from records
        where map_id = of_map and removed_at is null
            and player_id not in (select player_id from player_totals where hidden)
    ) accepted
    where (best_before is null or finish_time < best_before)
        and not exists (select from maps where id = of_map and removed);
end
$$;
-- +goose StatementEnd

-- +goose Down
alter table records rename constraint records_duplicate_finish to records_moment;
drop index records_newest;
drop index records_fastest;
create index records_newest  on records (created_at, id)               include (map_id) where removed_at is null;
create index records_fastest on records (finish_time, finished_at, id) include (map_id) where removed_at is null;
drop index maps_by_game_map_id;
create index maps_by_game_map_id on maps (game_map_id) where not removed;
alter table maps drop column restoring;
alter table players drop column roles;
drop index player_totals_hidden;
alter table player_totals drop column hidden;
