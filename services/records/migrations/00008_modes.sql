-- The modes of maps, by which two players are compared.

-- +goose Up

-- A display name. Null in copies from before. "records rebuild" and the next state of the map complete them.
alter table maps add column game_mode text;

-- +goose Down

alter table maps drop column game_mode;
