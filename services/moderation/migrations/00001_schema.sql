-- +goose Up

-- The copies of players, by version (platform/copies). A tombstone stays, so that no older state brings the player back.
create table players (
    id                uuid        primary key,
    version           bigint      not null,
    removed           boolean     not null default false,
    -- Set on the tombstone of a player who was merged into another: never the id of a player who was merged.
    merged_into       uuid,
    name              text        not null default '',
    -- Null where there are none.
    former_names      text[],
    level             integer     not null default 0,
    skin_image_url    text        not null default '',
    skin_color        text        not null default '',
    roles             text[]      not null default '{}',
    registered        boolean     not null default false,
    banned            boolean     not null default false,
    -- What a banned player is told. ban_until is null for a ban without an end; the others are empty for a ban by an
    -- operator.
    ban_until         timestamptz,
    ban_public_reason text        not null default '',
    ban_decision_id   text        not null default '',
    -- True for a player whose account was deleted.
    deleted           boolean     not null default false,
    created_at        timestamptz not null default now()
);

-- The copies of versions of maps (platform/copies). A tombstone keeps what was known.
create table maps (
    id          uuid    primary key,
    version     bigint  not null,
    removed     boolean not null,
    name        text    not null,
    game_map_id bigint  not null,
    author_id   uuid,
    superseded  boolean not null,
    unranked    boolean not null default false
);

-- What was reported of one thing until it was decided.
create table cases (
    id            uuid        primary key,
    subject_kind  text        not null,
    subject_id    uuid        not null,
    -- Whom it concerns.
    player_id     uuid,
    map_id        uuid,
    -- Of a record, in milliseconds.
    finish_time   bigint,
    open          boolean     not null default true,
    priority      integer     not null default 0,
    reports       integer     not null default 0,
    -- Without silent ones.
    flags         integer     not null default 0,
    opened_at     timestamptz not null,
    closed_at     timestamptz,
    claimed_by    uuid,
    claimed_until timestamptz,
    -- The decision that has closed it.
    decision_id   uuid,
    constraint cases_closed check (open = (closed_at is null) and open = (decision_id is null)),
    constraint cases_claimed check (num_nulls(claimed_by, claimed_until) in (0, 2))
);

create table reports (
    id          uuid        primary key,
    case_id     uuid        not null references cases on delete cascade,
    reporter_id uuid        not null,
    reason      text        not null,
    text        text        not null,
    -- What it adds to the priority of its case.
    weight      integer     not null,
    created_at  timestamptz not null,
    -- Whether the decision confirmed it, null while the case is open.
    confirmed   boolean,
    closed_at   timestamptz,
    constraint reports_once unique (case_id, reporter_id),
    constraint reports_closed check (num_nulls(confirmed, closed_at) in (0, 2))
);

-- What is remarkable about a record. A silent flag has no case where none was open.
create table flags (
    id         uuid        primary key,
    record_id  uuid        not null,
    case_id    uuid        references cases on delete cascade,
    kind       text        not null,
    silent     boolean     not null,
    numbers    jsonb       not null,
    created_at timestamptz not null,
    -- Whether the decision confirmed it, null while the case is open.
    confirmed  boolean,
    closed_at  timestamptz
);

create table decisions (
    id              uuid        primary key,
    kind            text        not null,
    subject_kind    text        not null,
    subject_id      uuid        not null,
    -- Whom it concerns.
    player_id       uuid,
    map_id          uuid,
    finish_time     bigint,
    by_id           uuid        not null,
    public_reason   text        not null,
    text            text        not null,
    state           text        not null,
    refusal_code    text        not null default '',
    refusal_message text        not null default '',
    -- The end of a ban, also of the one that an unban ends.
    until           timestamptz,
    keep_records    boolean     not null,
    into_id         uuid,
    case_id         uuid,
    undoes          uuid,
    -- True of a ban or unban that had nothing to change.
    needless        boolean     not null,
    created_at      timestamptz not null
);

-- What carries a decision out, in order. A waiting command is sent when the one before is carried out. One that hides
-- records is over when they are shown again.
create table decision_commands (
    decision_id uuid    not null references decisions on delete cascade,
    position    integer not null,
    subject     text    not null,
    state       text    not null,
    primary key (decision_id, position)
);

create table appeals (
    id            uuid        primary key,
    decision_id   uuid        not null,
    player_id     uuid        not null,
    state         text        not null,
    -- When the oldest message without an answer was sent.
    waiting_since timestamptz,
    answered_at   timestamptz,
    -- The decision that has granted it.
    granted_by    uuid,
    created_at    timestamptz not null
);

create table appeal_messages (
    id             uuid        primary key,
    appeal_id      uuid        not null references appeals on delete cascade,
    from_moderator boolean     not null,
    text           text        not null,
    created_at     timestamptz not null
);

-- The audit logs of all services. The service adds rows and reads them, and cannot change or remove any.
create table audit_log (
    id            bigint      generated always as identity primary key,
    at            timestamptz not null,
    actor_kind    text        not null,
    actor         text        not null,
    actor_name    text        not null,
    action        text        not null,
    subject       text        not null,
    reason        text        not null,
    public_reason text        not null,
    decision_id   text        not null,
    before        jsonb       not null,
    after         jsonb       not null
);

create index players_merged_into on players (merged_into) where merged_into is not null;
create index players_with_roles on players (id) where roles <> '{}';

create index maps_author on maps (author_id) where author_id is not null;

create unique index cases_open on cases (subject_kind, subject_id) where open;
create index cases_by_priority on cases (priority desc, opened_at, id) where open;
create index cases_by_age on cases (opened_at, id) where open;
create index cases_closed_at on cases (closed_at desc, id) where not open;
create index cases_subject on cases (subject_id);
create index cases_player on cases (player_id, opened_at desc) where player_id is not null;
create index cases_claimed_by on cases (claimed_by) where claimed_by is not null;

create index reports_reporter on reports (reporter_id, created_at desc);
create index reports_accuracy on reports (reporter_id, closed_at desc) where closed_at is not null;
create index reports_created_at on reports (created_at);

create index flags_case on flags (case_id) where case_id is not null;
create index flags_precision on flags (kind, closed_at desc) include (confirmed) where closed_at is not null;
create index flags_silent on flags (created_at) where case_id is null;

-- A decision is undone once.
create unique index decisions_undoes on decisions (undoes) where undoes is not null and state <> 'refused';
create index decisions_case on decisions (case_id, created_at desc) where case_id is not null;
create index decisions_player on decisions (player_id, created_at desc) where player_id is not null;
create index decisions_subject on decisions (subject_id);
create index decisions_by on decisions (by_id, id);
create index decisions_into on decisions (into_id) where into_id is not null;
create index decisions_created_at on decisions (created_at);

create unique index appeals_open on appeals (decision_id) where state = 'open';
create index appeals_decision on appeals (decision_id, created_at desc);
create index appeals_waiting on appeals (waiting_since, id) where state = 'open';
create index appeals_answered on appeals (answered_at desc, id) where state <> 'open';
create index appeals_player on appeals (player_id);
create index appeals_granted_by on appeals (granted_by) where granted_by is not null;

create index appeal_messages_appeal on appeal_messages (appeal_id, created_at);

create index audit_log_actor on audit_log (actor, at desc, id desc);
create index audit_log_subject on audit_log (subject, at desc, id desc);
create index audit_log_action on audit_log (action, at desc, id desc);
create index audit_log_at on audit_log (at desc, id desc);
