-- The tables that every service has. Their code is in platform/{outbox,eventbus,objectstore,audit}.

-- +goose Up

-- News that commit together with the fact. The relay publishes what is unpublished.
create table outbox (
    id           uuid        primary key,
    seq          bigint      generated always as identity,
    subject      text        not null,
    -- 0 for a fact; for a state the version of the entity, which is also in the body.
    version      bigint      not null,
    body         bytea       not null,
    created_at   timestamptz not null default now(),
    published_at timestamptz
);
create index outbox_unpublished on outbox (seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;

-- Which messages had their effect already.
create table inbox (
    consumer    text        not null,
    id          text        not null,
    received_at timestamptz not null default now(),
    primary key (consumer, id)
);
create index inbox_received on inbox (received_at);

-- Files that were announced but that no row names yet.
create table pending_uploads (
    id         uuid        primary key,
    key        text        not null,
    created_at timestamptz not null default now()
);
create index pending_uploads_key on pending_uploads (key);
create index pending_uploads_created on pending_uploads (created_at);

-- What operators did.
create table audit (
    id      bigint      generated always as identity primary key,
    at      timestamptz not null default now(),
    actor   text        not null,
    action  text        not null,
    subject text        not null,
    reason  text        not null,
    details jsonb       not null default '{}'
);
create index audit_subject on audit (subject, at desc);

-- +goose Down
drop table audit;
drop table pending_uploads;
drop table inbox;
drop table outbox;
