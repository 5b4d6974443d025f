-- +goose Up
-- All families of a player, also those that have ended, for the export of the player's data.
drop index families_by_player;
create index families_by_player on families (player_id, id);

-- +goose Down
drop index families_by_player;
create index families_by_player on families (player_id) where revoked_at is null;
