-- +goose Up

-- In the copy of state.v1.map.<id>.
alter table maps add column unranked_reason text not null default '';

-- +goose Down
alter table maps drop column unranked_reason;
