-- +goose Up
-- Whether any player has a badge.
create index players_by_role on players using gin (roles);

-- +goose Down
drop index players_by_role;
