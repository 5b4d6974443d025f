-- +goose Up

-- The decision that a notification of its subject is about.
alter table notifications add column decision_id uuid;
update notifications set decision_id = cause_id where kind = 'moderated';

-- +goose Down

alter table notifications drop column decision_id;
