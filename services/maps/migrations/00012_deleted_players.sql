-- +goose Up
alter table players
    -- True for a player whose account was deleted.
    add column deleted boolean not null default false;
create index players_merged_into on players (merged_into) where merged_into is not null;

-- +goose Down
drop index players_merged_into;
alter table players drop column deleted;
