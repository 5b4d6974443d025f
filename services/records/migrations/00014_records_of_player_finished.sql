-- +goose Up

-- A player's finishes before and after another one, for the moderators.
create index records_of_player_finished on records (player_id, finished_at, id) where removed_at is null and not undated;

-- +goose Down
drop index records_of_player_finished;
