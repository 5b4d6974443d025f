-- +goose Up

-- When the replay of a removed run was let go: nobody can appeal any more. Its hash stays, and stays refused.
alter table runs
    add column replay_gone_at timestamptz,
    add constraint runs_replay_gone check (replay_gone_at is null or removed_at is not null);
create index runs_removed on runs (removed_at) where removed_at is not null and replay_gone_at is null;

-- +goose Down
drop index runs_removed;
alter table runs
    drop constraint runs_replay_gone,
    drop column replay_gone_at;
