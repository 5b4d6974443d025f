-- +goose Up

alter table players
    -- Set on the tombstone of a player who was merged into another.
    add column merged_into  uuid,
    -- Null where there are none.
    add column former_names text[];

-- Who handed the run in, where that player was merged into another since. Null for all others.
alter table runs add column handed_in_by uuid;

-- A merged player's removed runs go along.
create index runs_removed_of_player on runs (player_id, map_id) where removed_at is not null;

-- +goose Down
drop index runs_removed_of_player;
alter table runs drop column handed_in_by;
alter table players
    drop column former_names,
    drop column merged_into;
