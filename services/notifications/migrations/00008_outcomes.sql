-- What was decided, so that reporters and players are told, and in which order the facts are. Notifications from before
-- have neither.

-- +goose Up

alter table notifications
    add column decision      text,
    add column public_reason text,
    add column appeal        text,
    -- The place of the fact in its stream.
    add column sequence      bigint not null default 0;

-- +goose Down

alter table notifications drop column decision, drop column public_reason, drop column appeal, drop column sequence;
