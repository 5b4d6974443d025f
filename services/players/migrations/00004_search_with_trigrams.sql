-- +goose Up
create extension if not exists pg_trgm;

drop table search_totals;
drop index players_by_grams;
alter table players drop column grams;

-- The blank finds beginnings of words (platform/search).
create index players_by_search_key on players using gin ((' ' || search_key) gin_trgm_ops) where registered;

-- +goose Down
-- The columns are made without their contents: an older release fills them by "players rebuild".
drop index players_by_search_key;
alter table players add column grams text[] collate "C" not null default '{}';
create index players_by_grams on players using gin (grams) where registered;
create table search_totals (
    gram    text   collate "C" primary key,
    players bigint not null
);
