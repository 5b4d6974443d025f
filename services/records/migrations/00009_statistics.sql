-- The personal bests of one player, which statistics, comparisons and searches by progress read.

-- +goose Up

-- The map is no key column: of the row of one player on one map, the planner would expect as much of this index as of the
-- primary key.
create index personal_bests_of_player on personal_bests (player_id)
    include (map_id, record_id, finish_time, finished_at, created_at);

-- +goose Down

drop index personal_bests_of_player;
