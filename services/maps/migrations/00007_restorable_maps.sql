-- +goose Up
alter table maps
    -- True for a map whose fingerprint the service has to compute again: those of earlier releases, which also insert them
    -- during an upgrade.
    add column fingerprint_due boolean not null default true;
create index maps_to_fingerprint on maps (id) where fingerprint_due;

-- Removed maps keep their pictures. Those of earlier releases have lost them, and are drawn to be restored.
drop index maps_to_draw;
create index maps_to_draw on maps (id) where drawing_due;
update maps set drawing_due = true where removed_at is not null and picture_key is null;

-- The replays that maps were submitted with again. Records are imported from them.
create table update_replays (
    replay_key text primary key,
    map_id     uuid not null references maps
);

-- In the copy of state.v1.player.<id>. Copies from before have null, and are asked for again when they are needed.
alter table players add column roles text[];

-- +goose Down
alter table players drop column roles;
drop table update_replays;
drop index maps_to_draw;
create index maps_to_draw on maps (id) where drawing_due and removed_at is null;
drop index maps_to_fingerprint;
alter table maps drop column fingerprint_due;
