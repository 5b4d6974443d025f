-- +goose Up

-- In the copy of state.v1.map.<id>.
alter table maps add column unranked boolean not null default false;

-- +goose Down

alter table maps drop column unranked;
