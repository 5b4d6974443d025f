-- Whom records have passed since the points of their maps were computed, so that players are told what it has cost them.

-- +goose Up

create table points_passed (
    id        bigint generated always as identity primary key,
    map_id    uuid not null,
    -- The record that has passed the player.
    record_id uuid not null,
    player_id uuid not null
);
create index points_passed_map on points_passed (map_id);

-- +goose Down

drop table points_passed;
