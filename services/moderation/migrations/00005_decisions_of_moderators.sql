-- +goose Up
-- All decisions of a moderator in the order of the export of the moderator's data.
drop index decisions_by;
create index decisions_by on decisions (by_id, id);

-- +goose Down
drop index decisions_by;
create index decisions_by on decisions (by_id);
