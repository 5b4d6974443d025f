-- +goose Up
alter table players
    -- True for a deleted player whose texts are deleted. What others write for the player's maps afterwards stays.
    add column forgotten boolean not null default false;
update players set forgotten = true where deleted;

-- +goose Down
alter table players drop column forgotten;
