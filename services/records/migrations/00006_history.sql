-- The history of world records, the checks of replays, and the versions and pictures of maps.

-- +goose Up

alter table records
    -- The rank that the record had when it was accepted. Null when it was no personal best, and for records from before
    -- ranks were stored.
    add column rank_at_submission bigint check (rank_at_submission > 0),
    -- What was checked of the replay when the record was accepted (check_lists.hash). Null for records from before. Without
    -- a foreign key, whose check costs every submission: no list is ever deleted.
    add column checks_hash bytea;

-- The lists of checks, with their sentences. The records that were accepted under the same rules share a list.
create table check_lists (
    -- SHA-256 of the list.
    hash   bytea primary key,
    checks jsonb not null
);

-- The active records of each map that were faster than every earlier active record of the map. A removed map has none.
-- Two triggers on records keep it, under the lock of the map's row in map_totals. The player of a world record is its
-- record's.
create table world_records (
    map_id      uuid        not null,
    -- Milliseconds.
    finish_time integer     not null,
    record_id   uuid        not null references records,
    -- The record's place in the order of acceptance.
    seq         bigint      not null,
    -- When it became the world record: when the record was accepted, or the one before it, if that was later.
    since       timestamptz not null,
    primary key (map_id, finish_time)
);
-- The newest world records of all maps.
create index world_records_newest on world_records (since, record_id) include (map_id, finish_time);

-- add_world_record adds a new record that is faster than its map's world record. An equal time does not replace it.
-- +goose StatementBegin
create function add_world_record() returns trigger language plpgsql as $$
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

create trigger world_record_added after insert on records
    for each row when (new.removed_at is null) execute function add_world_record();

-- rebuild_world_records computes the world records of a map from its records.
-- +goose StatementBegin
create function rebuild_world_records(of_map uuid) returns void language plpgsql as $$
begin
    delete from world_records where map_id = of_map;
    insert into world_records (map_id, finish_time, record_id, seq, since)
    select map_id, finish_time, id, seq, max(created_at) over (order by seq)
    from (
        select map_id, finish_time, id, seq, created_at, min(finish_time) over (
            order by seq rows between unbounded preceding and 1 preceding) as best_before
        from records
        where map_id = of_map and removed_at is null
    ) accepted
    where (best_before is null or finish_time < best_before)
        and not exists (select from maps where id = of_map and removed);
end
$$;
-- +goose StatementEnd

-- rebuild_world_records_of_record rebuilds the world records of a map when a record was removed or restored, unless an
-- earlier world record was as fast, because then the record was none.
-- +goose StatementBegin
create function rebuild_world_records_of_record() returns trigger language plpgsql as $$
begin
    if not exists (
        select from world_records
        where map_id = new.map_id and finish_time <= new.finish_time and seq < new.seq)
    then
        perform rebuild_world_records(new.map_id);
    end if;
    return null;
end
$$;
-- +goose StatementEnd

create trigger world_records_rebuilt after update of removed_at on records
    for each row when (new.removed_at is distinct from old.removed_at)
    execute function rebuild_world_records_of_record();

select rebuild_world_records(map_id) from map_totals;
-- The states of maps have a world record now. "records republish" publishes them.
update map_totals set version = version + 1 where records > 0;

-- Copies of states from before have version 1 and no picture. They get one with the next state of their map.
alter table maps
    -- The version of the game's map, counted from 1. A tombstone has 0.
    add column map_version    integer not null default 1 check (map_version >= 0),
    -- True when the map has a newer version that is not removed.
    add column superseded     boolean not null default false,
    -- Where the drawn picture lies in the object storage. Empty where there is none.
    add column picture_bucket text    not null default '',
    add column picture_key    text    not null default '';
-- The maps that are listed, for the totals of the site.
create index maps_listed on maps (id) where not removed and not superseded;

-- +goose Down
drop index maps_listed;
alter table maps
    drop column picture_key,
    drop column picture_bucket,
    drop column superseded,
    drop column map_version;
drop trigger world_records_rebuilt on records;
drop trigger world_record_added on records;
drop function rebuild_world_records_of_record;
drop function rebuild_world_records;
drop function add_world_record;
drop table world_records;
drop table check_lists;
alter table records
    drop column checks_hash,
    drop column rank_at_submission;
