-- The index of the easiest maps changes only where their order may change, not with each further player of a map.

-- +goose Up

alter table map_totals add column enough_players boolean not null generated always as (players >= 5) stored;
drop index map_totals_easiest;
create index map_totals_easiest on map_totals (enough_players desc, bronze_share desc, fastest, map_id);

-- +goose Down

drop index map_totals_easiest;
alter table map_totals drop column enough_players;
create index map_totals_easiest on map_totals ((players >= 5) desc, bronze_share desc, fastest, map_id);
