-- The tables and columns get the names of docs/glossary.md, and ranks are counted in one table that a trigger keeps.

-- +goose Up

alter table runs rename to records;
alter table records rename column finish_stamp   to finished_at;
alter table records rename column handed_in_by   to submitted_by;
alter table records rename column replay_gone_at to replay_purged_at;
alter table records rename constraint runs_pkey        to records_pkey;
alter table records rename constraint runs_replay      to records_replay;
alter table records rename constraint runs_moment      to records_moment;
alter table records rename constraint runs_removed     to records_removed;
alter table records rename constraint runs_replay_gone to records_replay_purged;
alter index runs_newest             rename to records_newest;
alter index runs_fastest            rename to records_fastest;
alter index runs_of_player_newest   rename to records_of_player_newest;
alter index runs_of_player_fastest  rename to records_of_player_fastest;
alter index runs_of_player_on_map   rename to records_of_player_on_map;
alter index runs_removed_of_player  rename to records_removed_of_player;
alter index runs_removed            rename to records_replays_to_purge;

-- A replay without a time stamp: its record has the time of the submission. The same player, map and finish time again
-- is a duplicate. The player is the one who submitted it, so that a merge of two players violates nothing.
alter table records add column undated boolean not null default false;
create unique index records_undated on records (map_id, coalesce(submitted_by, player_id), finish_time) where undated;

alter table bests rename to personal_bests;
alter table personal_bests rename column run_id       to record_id;
alter table personal_bests rename column finish_stamp to finished_at;
alter table personal_bests rename column runs         to records;
alter table personal_bests rename constraint bests_pkey        to personal_bests_pkey;
alter table personal_bests rename constraint bests_run_id_fkey to personal_bests_record_id_fkey;
alter table personal_bests rename constraint bests_runs_check  to personal_bests_records_check;
alter index bests_board rename to personal_bests_leaderboard;

alter table map_totals    rename column runs to records;
alter table player_totals rename column runs to records;
alter table maps          rename column bonk_db_id to game_map_id;
alter index maps_by_bonk_db_id rename to maps_by_game_map_id;

-- The site's totals are sums.
drop table site_totals;
create index players_registered on players (id) where registered;

-- How many personal bests of a map have each finish time (step 1), and how many lie in each five seconds (step 5000,
-- finish_time is where they begin): what lies before a record or a page is the sum of a few hundred rows instead of a
-- million. All changes happen under the lock of the map's row in map_totals.
create table rank_counts (
    map_id      uuid    not null,
    step        integer not null,
    -- Milliseconds.
    finish_time integer not null,
    players     integer not null check (players > 0),
    primary key (map_id, step, finish_time)
) with (fillfactor = 70);

insert into rank_counts (map_id, step, finish_time, players)
select map_id, step, finish_time / step * step, count(*)
from personal_bests cross join (values (1), (5000)) as steps (step)
group by 1, 2, 3;

-- count_personal_bests keeps rank_counts and the number of players in map_totals.
-- +goose StatementBegin
create function count_personal_bests() returns trigger language plpgsql as $$
begin
    case tg_op
    when 'INSERT' then
        insert into rank_counts as c (map_id, step, finish_time, players)
        select map_id, step, finish_time / step * step, count(*)
        from added cross join (values (1), (5000)) as steps (step)
        group by 1, 2, 3
        on conflict (map_id, step, finish_time) do update set players = c.players + excluded.players;

        update map_totals t set players = t.players + a.players
        from (select map_id, count(*) as players from added group by map_id) a
        where t.map_id = a.map_id;
    when 'UPDATE' then
        merge into rank_counts c
        using (
            select map_id, step, finish_time / step * step as finish_time, sum(change) as change
            from (select map_id, finish_time, 1 as change from added
                  union all
                  select map_id, finish_time, -1 from deleted) changes
                cross join (values (1), (5000)) as steps (step)
            group by 1, 2, 3
            having sum(change) <> 0
        ) d
        on c.map_id = d.map_id and c.step = d.step and c.finish_time = d.finish_time
        when matched and c.players + d.change = 0 then delete
        when matched then update set players = c.players + d.change
        when not matched then
            insert (map_id, step, finish_time, players) values (d.map_id, d.step, d.finish_time, d.change);
    when 'DELETE' then
        merge into rank_counts c
        using (
            select map_id, step, finish_time / step * step as finish_time, count(*) as players
            from deleted cross join (values (1), (5000)) as steps (step)
            group by 1, 2, 3
        ) d
        on c.map_id = d.map_id and c.step = d.step and c.finish_time = d.finish_time
        when matched and c.players = d.players then delete
        when matched then update set players = c.players - d.players;

        update map_totals t set players = t.players - d.players
        from (select map_id, count(*) as players from deleted group by map_id) d
        where t.map_id = d.map_id;
    end case;
    return null;
end
$$;
-- +goose StatementEnd

create trigger count_added after insert on personal_bests
    referencing new table as added for each statement execute function count_personal_bests();
create trigger count_changed after update on personal_bests
    referencing old table as deleted new table as added for each statement execute function count_personal_bests();
create trigger count_deleted after delete on personal_bests
    referencing old table as deleted for each statement execute function count_personal_bests();

-- leaderboard_start returns the finish time of the row at an offset of a leaderboard, and how many rows lie before that
-- finish time. For an offset past the end it returns the last finish time.
-- +goose StatementBegin
create function leaderboard_start(of_map uuid, row_offset bigint)
returns table (finish_time integer, rows_before bigint) language sql stable rows 1 as $$
    with five_seconds as materialized (
        select s.finish_time, s.rows_before
        from (
            select c.finish_time, sum(c.players) over (order by c.finish_time) - c.players as rows_before
            from rank_counts c
            where c.map_id = of_map and c.step = 5000
        ) s
        where s.rows_before <= row_offset
        order by s.finish_time desc
        limit 1
    )
    select f.finish_time, f.rows_before
    from (
        select c.finish_time, s.rows_before + sum(c.players) over (order by c.finish_time) - c.players as rows_before
        from five_seconds s join rank_counts c
            on c.map_id = of_map and c.step = 1
            and c.finish_time >= s.finish_time and c.finish_time < s.finish_time + 5000
    ) f
    where f.rows_before <= row_offset
    order by f.finish_time desc
    limit 1
$$;
-- +goose StatementEnd

-- leaderboard_rank returns the rank that a record has, or would have, on the leaderboard of its map.
-- +goose StatementBegin
create function leaderboard_rank(of_map uuid, of_time integer, of_stamp timestamptz, of_record uuid)
returns bigint language sql stable as $$
    select 1
        + coalesce((
            select sum(players) from rank_counts
            where map_id = of_map and step = 5000 and finish_time < of_time / 5000 * 5000), 0)
        + coalesce((
            select sum(players) from rank_counts
            where map_id = of_map and step = 1 and finish_time >= of_time / 5000 * 5000 and finish_time < of_time), 0)
        + (
            select count(*) from personal_bests
            where map_id = of_map and finish_time = of_time and (finished_at, record_id) < (of_stamp, of_record))
$$;
-- +goose StatementEnd

drop table stretches;
drop table frames;

-- There is no way down but a backup: docs/operations.md.
