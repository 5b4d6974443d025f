-- The tables that every service has. Their code is in platform/{outbox,eventbus,objectstore,audit}.

-- +goose Up

-- Messages that commit together with the fact. The relay publishes what is unpublished.
create table outbox (
    id           uuid        primary key,
    seq          bigint      generated always as identity,
    subject      text        not null,
    -- 0 for a fact; for a state the version of the entity, which is also in the body.
    version      bigint      not null,
    body         bytea       not null,
    -- What ties a message to the request that caused it: headers of the message, names and lists of values, such as
    -- X-Request-Id and traceparent.
    headers      jsonb       not null default '{}',
    created_at   timestamptz not null default now(),
    published_at timestamptz
);

-- Which messages had their effect already.
create table inbox (
    consumer    text        not null,
    id          text        not null,
    received_at timestamptz not null default now(),
    primary key (consumer, id)
);

-- Files that were announced but that no row names yet.
create table pending_uploads (
    id         uuid        primary key,
    key        text        not null,
    created_at timestamptz not null default now()
);

-- What operators, players and services did.
create table audit (
    id            bigint      generated always as identity primary key,
    at            timestamptz not null default now(),
    -- A player, an operator or a service.
    actor_kind    text        not null default '',
    actor         text        not null,
    actor_name    text        not null default '',
    action        text        not null,
    subject       text        not null,
    reason        text        not null,
    public_reason text        not null default '',
    decision_id   text        not null default '',
    -- The changed values.
    before        jsonb       not null default '{}',
    after         jsonb       not null default '{}'
);

create index outbox_unpublished on outbox (seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;
create index inbox_received on inbox (received_at);
create index pending_uploads_key on pending_uploads (key);
create index pending_uploads_created on pending_uploads (created_at);
create index audit_subject on audit (subject, at desc);
