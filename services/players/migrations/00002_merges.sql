-- +goose Up

alter table players
    -- Who this player was merged into, for good. Such a row is an old id and an old name, and nothing else.
    add column merged_into  uuid references players,
    -- The names of players who were merged into this one, as long as nobody else has them.
    add column former_names text[] not null default '{}',
    -- Null for a player who was merged: the name is free.
    alter column name_key drop not null,
    add constraint players_merged check (merged_into <> id),
    add constraint players_named  check ((name_key is null) = (merged_into is not null));

-- playername.Key of each of players.former_names: whose a name was that is nobody's now.
create table former_names (
    name_key  text collate "C" primary key,
    player_id uuid not null references players
);
create index former_names_by_player on former_names (player_id);

-- +goose Down
drop table former_names;
alter table players
    drop constraint players_named,
    drop constraint players_merged;
update players set name_key = id::text where name_key is null;
alter table players
    alter column name_key set not null,
    drop column former_names,
    drop column merged_into;
