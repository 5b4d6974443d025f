-- +goose Up
-- The world record in the copy of state.v1.mapstats.<id>. All null on a map without records, and in copies from before
-- until the next state of the map.
alter table map_stats
    add column world_record_id        uuid,
    add column world_record_player_id uuid,
    add column world_record_time      bigint,
    add constraint map_stats_world_record
        check (num_nulls(world_record_id, world_record_player_id, world_record_time) in (0, 3));

-- +goose Down
alter table map_stats
    drop constraint map_stats_world_record,
    drop column world_record_id, drop column world_record_player_id, drop column world_record_time;
