-- What ties a message to the request that caused it: headers of the message,
-- names and lists of values, such as X-Request-Id and traceparent.

-- +goose Up
alter table outbox add column headers jsonb not null default '{}';

-- +goose Down
alter table outbox drop column headers;
