-- Who is a player, an operator or a service; before and after are the changed values. The column details has the
-- values of rows that were written before.

-- +goose Up
alter table audit
    add column actor_kind    text  not null default '',
    add column actor_name    text  not null default '',
    add column public_reason text  not null default '',
    add column decision_id   text  not null default '',
    add column before        jsonb not null default '{}',
    add column after         jsonb not null default '{}';

-- +goose Down
alter table audit
    drop column actor_kind, drop column actor_name, drop column public_reason, drop column decision_id,
    drop column before, drop column after;
