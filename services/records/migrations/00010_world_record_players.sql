-- The world records of one player, and the listed maps by mode.

-- +goose Up

-- The maps that are listed, for their numbers by mode and in all.
drop index maps_listed;
create index maps_listed on maps (game_mode) where not removed and not superseded;

-- The player of the record. Triggers on records keep it.
alter table world_records add column player_id uuid;
update world_records w set player_id = r.player_id from records r where r.id = w.record_id;
alter table world_records alter column player_id set not null;
create index world_records_of_player on world_records (player_id, map_id);

-- add_world_record adds a new record that is faster than its map's world record. An equal time does not replace it.
-- +goose StatementBegin
create or replace function add_world_record() returns trigger language plpgsql as $$
begin
    insert into world_records (map_id, finish_time, record_id, player_id, seq, since)
    select new.map_id, new.finish_time, new.id, new.player_id, new.seq, greatest(new.created_at, best.since)
    from (values (new.map_id)) as record (map_id) left join lateral (
        select w.finish_time, w.since from world_records w where w.map_id = record.map_id order by w.finish_time limit 1
    ) best on true
    where best.finish_time is null or new.finish_time < best.finish_time;
    return null;
end
$$;
-- +goose StatementEnd

-- rebuild_world_records computes the world records of a map from its active records.
-- +goose StatementBegin
create or replace function rebuild_world_records(of_map uuid) returns void language plpgsql as $$
begin
    delete from world_records where map_id = of_map;
    insert into world_records (map_id, finish_time, record_id, player_id, seq, since)
    select map_id, finish_time, id, player_id, seq, max(created_at) over (order by seq)
    from (
        select map_id, finish_time, id, player_id, seq, created_at, min(finish_time) over (
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

-- transfer_world_record gives a world record to the player of its record, who has changed.
-- +goose StatementBegin
create function transfer_world_record() returns trigger language plpgsql as $$
begin
    update world_records set player_id = new.player_id
    where map_id = new.map_id and finish_time = new.finish_time and record_id = new.id;
    return null;
end
$$;
-- +goose StatementEnd

create trigger world_record_transferred after update of player_id on records
    for each row when (new.player_id <> old.player_id) execute function transfer_world_record();

-- +goose Down

drop trigger world_record_transferred on records;
drop function transfer_world_record;
-- +goose StatementBegin
create or replace function add_world_record() returns trigger language plpgsql as $$
begin
    insert into world_records (map_id, finish_time, record_id, seq, since)
    select new.map_id, new.finish_time, new.id, new.seq, greatest(new.created_at, best.since)
    from (values (new.map_id)) as record (map_id) left join lateral (
        select w.finish_time, w.since from world_records w where w.map_id = record.map_id order by w.finish_time limit 1
    ) best on true
    where best.finish_time is null or new.finish_time < best.finish_time;
    return null;
end
$$;
-- +goose StatementEnd
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
drop index world_records_of_player;
alter table world_records drop column player_id;
drop index maps_listed;
create index maps_listed on maps (id) where not removed and not superseded;
