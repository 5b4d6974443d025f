-- What time of the receiver a record has passed, so that the inbox can say by how much, and that an equal time was set
-- earlier. It is null for notifications from before.

-- +goose Up

-- Milliseconds.
alter table notifications add column own_finish_time integer;

-- +goose Down

alter table notifications drop column own_finish_time;
