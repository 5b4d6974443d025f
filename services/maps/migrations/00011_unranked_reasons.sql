-- +goose Up

-- Why moderators have unranked a version, empty where an operator has and for what was unranked before.
alter table maps add column unranked_reason text not null default '';

-- +goose Down
alter table maps drop column unranked_reason;
