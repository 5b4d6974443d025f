-- +goose Up

alter table players
    -- Set on the tombstone of a player who was merged into another.
    add column merged_into  uuid,
    -- Null where there are none.
    add column former_names text[];

-- A merged player's maps go along: those handed in, and those that were taken down.
create index maps_by_submitter      on maps (submitted_by_id);
create index maps_removed_by_author on maps (author_id) where removed_at is not null;

-- +goose Down
drop index maps_removed_by_author;
drop index maps_by_submitter;
alter table players
    drop column former_names,
    drop column merged_into;
