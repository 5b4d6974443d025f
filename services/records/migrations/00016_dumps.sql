-- The dumps of all public data, which lie in the object storage: docs/decisions/0093-dumps.md.

-- +goose Up

create table dumps (
    -- In UTC. A day has one dump.
    day         date        primary key,
    -- What the keys of its files begin with. No two attempts have the same.
    folder      text        not null unique,
    began_at    timestamptz not null,
    -- Null while the dump is not complete, and when it is not kept any more. Such a dump is not shown, and what is stored
    -- of it is deleted.
    finished_at timestamptz,
    manifest    jsonb,
    constraint dumps_finished check (num_nulls(finished_at, manifest) in (0, 2))
);

-- +goose Down

drop table dumps;
