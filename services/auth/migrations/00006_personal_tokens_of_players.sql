-- +goose Up
-- All personal tokens of a player, also those that were revoked, for the export of the player's data.
drop index personal_tokens_by_player;
create index personal_tokens_by_player on personal_tokens (player_id, id);

-- +goose Down
drop index personal_tokens_by_player;
create index personal_tokens_by_player on personal_tokens (player_id) where revoked_at is null;
