-- +goose Up

-- The decision that has banned the player; null for a ban by an operator.
alter table players add column banned_by uuid;
update players p set banned_by = (
    select d.id from decisions d
    where d.player_id = p.id and d.kind = 'ban' and d.state = 'carried_out'
    order by d.created_at desc
    limit 1)
where p.banned;

-- True for a ban that was over before it had hidden the records.
alter table decisions add column ban_ended boolean not null default false;

-- +goose Down

alter table decisions drop column ban_ended;
alter table players drop column banned_by;
