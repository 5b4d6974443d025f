-- +goose Up
alter table players
    -- What the player is told, by the moderators' decision with the id. Both are empty for a ban by an operator.
    add column ban_public_reason text not null default '',
    add column ban_decision_id   text not null default '',
    -- When the ban ends by itself, and null for a ban without an end. Without a ban these columns do not count: earlier
    -- releases leave them as they are.
    add column ban_until         timestamptz;
create index players_bans on players (ban_until) where banned and ban_until is not null;

-- +goose Down
drop index players_bans;
alter table players
    drop column ban_public_reason,
    drop column ban_decision_id,
    drop column ban_until;
