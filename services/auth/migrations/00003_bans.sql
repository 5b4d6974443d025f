-- +goose Up
alter table players
    -- What a banned player is told. ban_until is null for a ban without an end; the others are empty for a ban by an
    -- operator.
    add column ban_until         timestamptz,
    add column ban_public_reason text not null default '',
    add column ban_decision_id   text not null default '';

-- +goose Down
alter table players
    drop column ban_until,
    drop column ban_public_reason,
    drop column ban_decision_id;
