-- A change of points is as old as the record that makes it, so that "asOf" tells a player whether a new record is in the
-- points. Records that were accepted earlier (restored, merged or imported ones) change points now.

-- +goose Up

-- changed_at returns when a personal best has changed, of a record that was accepted at a time.
-- +goose StatementBegin
create function changed_at(accepted_at timestamptz) returns timestamptz language sql volatile as $$
    select case
        when accepted_at between clock_timestamp() - interval '1 minute' and clock_timestamp() then accepted_at
        else clock_timestamp()
    end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function queue_points_of_personal_bests() returns trigger language plpgsql as $$
begin
    case tg_op
    when 'INSERT' then
        insert into points_map_changes (map_id, large, with_players, at)
        select map_id, is_large_leaderboard(map_id), false, at
        from (select map_id, min(changed_at(created_at)) as at from changed group by map_id) m;
        insert into points_player_changes (player_id, large, at)
        select player_id, false, min(changed_at(created_at)) from changed group by player_id;
    when 'UPDATE' then
        insert into points_map_changes (map_id, large, with_players, at)
        select map_id, is_large_leaderboard(map_id), false, at
        from (
            select a.map_id, min(changed_at(a.created_at)) as at
            from added a join deleted d using (map_id, player_id)
            where a.record_id <> d.record_id
            group by a.map_id
        ) m;
        insert into points_player_changes (player_id, large, at)
        select a.player_id, false, min(changed_at(a.created_at))
        from added a join deleted d using (map_id, player_id)
        where a.record_id <> d.record_id
        group by a.player_id;
    when 'DELETE' then
        insert into points_map_changes (map_id, large, with_players)
        select map_id, is_large_leaderboard(map_id), false from (select distinct map_id from changed) m;
        insert into points_player_changes (player_id, large) select distinct player_id, false from changed;
    end case;
    return null;
end
$$;
-- +goose StatementEnd

create index points_player_changes_usual on points_player_changes (at) where not large;

-- +goose Down

drop index points_player_changes_usual;

-- +goose StatementBegin
create or replace function queue_points_of_personal_bests() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        insert into points_map_changes (map_id, large, with_players)
        select map_id, is_large_leaderboard(map_id), false
        from (
            select distinct a.map_id from added a join deleted d using (map_id, player_id) where a.record_id <> d.record_id
        ) m;
        insert into points_player_changes (player_id, large)
        select distinct player_id, false
        from added a join deleted d using (map_id, player_id) where a.record_id <> d.record_id;
    else
        insert into points_map_changes (map_id, large, with_players)
        select map_id, is_large_leaderboard(map_id), false from (select distinct map_id from changed) m;
        insert into points_player_changes (player_id, large) select distinct player_id, false from changed;
    end if;
    return null;
end
$$;
-- +goose StatementEnd

drop function changed_at;
