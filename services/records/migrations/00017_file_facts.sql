-- What the replays of records say beside what ranks them, for the moderators.

-- +goose Up

-- Null and empty for records from before it was kept, and for versions that are none.
alter table records
    -- The SHA-256 of the map data of the replay.
    add column map_data_hash bytea,
    add column mod_version   text not null default '',
    add column game_version  text not null default '';

-- The record with whose replay each map was submitted, of maps since then.
create table first_records (
    map_id    uuid primary key,
    record_id uuid not null references records on delete cascade
);
create index first_records_record on first_records (record_id);

-- +goose Down

drop table first_records;
alter table records drop column game_version, drop column mod_version, drop column map_data_hash;
