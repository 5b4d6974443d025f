-- +goose Up

-- True where the receiver took long to answer the last attempt.
alter table webhooks add column slow boolean not null default false;
drop index webhooks_due;
create index webhooks_due on webhooks ((failures > 0 or slow), due_at) where due_at is not null;

-- +goose Down

drop index webhooks_due;
alter table webhooks drop column slow;
create index webhooks_due on webhooks ((failures > 0), due_at) where due_at is not null;
