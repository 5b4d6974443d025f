-- +goose Up
alter table players
    -- True for a player whose account was deleted.
    add column deleted boolean not null default false;

-- +goose Down
alter table players drop column deleted;
