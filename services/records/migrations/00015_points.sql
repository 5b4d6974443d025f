-- Points of players and the rankings. All of it is computed from personal bests, outside of the transactions that change
-- them: docs/decisions/0088-points.md.

-- +goose Up

-- Null in copies from before. "records rebuild" and the next state of the map complete them.
alter table maps add column author_id uuid;

-- counts_for_points reports whether a map gives points and counts as finished in rankings.
-- +goose StatementBegin
create function counts_for_points(m maps) returns boolean language sql immutable as $$
    select not m.removed and not m.superseded and not m.unranked
$$;
-- +goose StatementEnd

-- points_on_map returns the points of a player on a map, in tenths, as points.Of does.
-- +goose StatementBegin
create function points_on_map(opponents bigint, slower bigint, tied bigint) returns bigint language sql immutable as $$
    select (20 * (60 * opponents + (770 + case opponents - slower - tied + 1
            when 1 then 200 when 2 then 120 when 3 then 90 when 4 then 60 when 5 then 20 else 0 end)
        * (2 * slower + tied)) + 2 * (opponents + 20)) / (4 * (opponents + 20))
$$;
-- +goose StatementEnd

-- The weights of a player's maps in the order of their points, of which the first is 1,000,000,000,000.
create table points_weights (
    position integer primary key,
    weight   bigint  not null
);
insert into points_weights (position, weight)
select n, round(power(0.95::numeric(40, 30), n - 1) * 1000000000000) from generate_series(1, 500) n;

-- One row: with what the points were computed. The lock of the row is that of rankings and points_players.
create table points_state (
    id              boolean primary key default true check (id),
    formula_version integer not null,
    finishers       integer not null,
    maps            integer not null,
    authors         integer not null,
    -- The last day (UTC) whose points and ranks are in points_days.
    day             date    not null
);
insert into points_state (formula_version, finishers, maps, authors, day) values (0, 0, 0, 0, '2000-01-01');

-- The maps whose points are computed. The lock of the row is that of the map's rows in record_points.
create table points_maps (
    map_id    uuid    primary key,
    -- Players that count with a personal best.
    finishers integer not null default 0
) with (fillfactor = 70);

-- The players with personal bests on maps that count.
create table points_players (
    player_id uuid    primary key,
    -- How many such maps, and by how many authors.
    maps      integer not null,
    authors   integer not null,
    -- True for a player who is ranked, and an opponent of others.
    counts    boolean not null
) with (fillfactor = 70);

-- The points of players that count, on maps that count.
create table record_points (
    map_id       uuid    not null,
    player_id    uuid    not null,
    -- The other players that count, and those of them that are slower or have the same time.
    opponents    integer not null,
    slower       integer not null,
    tied         integer not null,
    -- Tenths.
    points       integer not null,
    -- True for the map's world record.
    world_record boolean not null,
    primary key (map_id, player_id)
) with (fillfactor = 70);

-- What players have reached: in all maps (mode '') and those of each mode, of all time (period 'all') and in the month.
create table rankings (
    -- all, or a month in UTC (2026-05).
    period    text   collate "C" not null,
    mode      text   collate "C" not null,
    player_id uuid   not null,
    -- points (tenths), worldRecords, authorMedals, goldMedals, silverMedals, bronzeMedals, finished.
    kind      text   collate "C" not null,
    value     bigint not null check (value > 0),
    primary key (period, mode, player_id, kind)
) with (fillfactor = 70);
create index rankings_ordered on rankings (period, mode, kind, value desc, player_id);
create index rankings_of_player on rankings (player_id);

-- How many players of a ranking have each value (step 1), and how many lie in each thousand (step 1000, value is where they
-- begin). A trigger on rankings keeps it.
create table ranking_counts (
    period  text    collate "C" not null,
    mode    text    collate "C" not null,
    kind    text    collate "C" not null,
    step    integer not null,
    value   bigint  not null,
    players integer not null check (players > 0),
    primary key (period, mode, kind, step, value)
) with (fillfactor = 70);

-- count_rankings keeps ranking_counts.
-- +goose StatementBegin
create function count_rankings() returns trigger language plpgsql as $$
begin
    case tg_op
    when 'INSERT' then
        insert into ranking_counts as c (period, mode, kind, step, value, players)
        select period, mode, kind, step, value / step * step, count(*)
        from added cross join (values (1), (1000)) as steps (step)
        group by 1, 2, 3, 4, 5
        on conflict (period, mode, kind, step, value) do update set players = c.players + excluded.players;
    when 'UPDATE' then
        merge into ranking_counts c
        using (
            select period, mode, kind, step, value / step * step as value, sum(change) as change
            from (select period, mode, kind, value, 1 as change from added
                  union all
                  select period, mode, kind, value, -1 from deleted) changes
                cross join (values (1), (1000)) as steps (step)
            group by 1, 2, 3, 4, 5
            having sum(change) <> 0
        ) d
        on c.period = d.period and c.mode = d.mode and c.kind = d.kind and c.step = d.step and c.value = d.value
        when matched and c.players + d.change = 0 then delete
        when matched then update set players = c.players + d.change
        when not matched then
            insert (period, mode, kind, step, value, players) values (d.period, d.mode, d.kind, d.step, d.value, d.change);
    when 'DELETE' then
        merge into ranking_counts c
        using (
            select period, mode, kind, step, value / step * step as value, count(*) as players
            from deleted cross join (values (1), (1000)) as steps (step)
            group by 1, 2, 3, 4, 5
        ) d
        on c.period = d.period and c.mode = d.mode and c.kind = d.kind and c.step = d.step and c.value = d.value
        when matched and c.players = d.players then delete
        when matched then update set players = c.players - d.players;
    end case;
    return null;
end
$$;
-- +goose StatementEnd

create trigger count_added after insert on rankings
    referencing new table as added for each statement execute function count_rankings();
create trigger count_changed after update on rankings
    referencing old table as deleted new table as added for each statement execute function count_rankings();
create trigger count_deleted after delete on rankings
    referencing old table as deleted for each statement execute function count_rankings();

-- ranking_start returns the value of the row at an offset of a ranking, and how many players have a greater one. For an
-- offset past the end it returns the last value.
-- +goose StatementBegin
create function ranking_start(of_period text, of_mode text, of_kind text, row_offset bigint)
returns table (value bigint, rows_before bigint) language sql stable rows 1 as $$
    with thousand as materialized (
        select s.value, s.rows_before
        from (
            select c.value, sum(c.players) over (order by c.value desc) - c.players as rows_before
            from ranking_counts c
            where c.period = of_period and c.mode = of_mode and c.kind = of_kind and c.step = 1000
        ) s
        where s.rows_before <= row_offset
        order by s.value
        limit 1
    )
    select f.value, f.rows_before
    from (
        select c.value, s.rows_before + sum(c.players) over (order by c.value desc) - c.players as rows_before
        from thousand s join ranking_counts c
            on c.period = of_period and c.mode = of_mode and c.kind = of_kind and c.step = 1
            and c.value >= s.value and c.value < s.value + 1000
    ) f
    where f.rows_before <= row_offset
    order by f.value
    limit 1
$$;
-- +goose StatementEnd

-- ranking_place returns the place that a value has, or would have: 1 and the players with a greater value.
-- +goose StatementBegin
create function ranking_place(of_period text, of_mode text, of_kind text, of_value bigint)
returns bigint language sql stable as $$
    select 1
        + coalesce((
            select sum(players) from ranking_counts
            where period = of_period and mode = of_mode and kind = of_kind
                and step = 1000 and value > of_value / 1000 * 1000), 0)
        + coalesce((
            select sum(players) from ranking_counts
            where period = of_period and mode = of_mode and kind = of_kind
                and step = 1 and value > of_value and value < of_value / 1000 * 1000 + 1000), 0)
$$;
-- +goose StatementEnd

-- The points that a player had on a map at the beginning of a day (UTC) on which they have changed, for a week: what a
-- change comes from.
create table points_before (
    player_id uuid    not null,
    map_id    uuid    not null,
    day       date    not null,
    -- Tenths.
    points    integer not null,
    primary key (player_id, map_id, day)
);
create index points_before_day on points_before (day);

-- The points and the rank of a player at the end of a day (UTC) on which one of them has changed.
create table points_days (
    player_id uuid   not null,
    day       date   not null,
    -- Tenths.
    points    bigint not null,
    -- Null while the player was not ranked.
    rank      bigint,
    primary key (player_id, day)
);

-- What has changed since points were computed. Rows are only added, so that no submission waits for the computation.
create table points_map_changes (
    id           bigint generated always as identity,
    map_id       uuid        not null,
    -- True for a map with many players, which is computed apart from the others.
    large        boolean     not null,
    -- True where the maps that its players have finished have changed.
    with_players boolean     not null,
    at           timestamptz not null default clock_timestamp(),
    primary key (large, id)
);
create index points_map_changes_of_map on points_map_changes (map_id);
create index points_map_changes_oldest on points_map_changes (at);
create table points_player_changes (
    id        bigint generated always as identity,
    player_id uuid        not null,
    -- True where the change comes from a map with many players.
    large     boolean     not null,
    at        timestamptz not null default clock_timestamp(),
    primary key (large, id)
);
create index points_player_changes_of_player on points_player_changes (player_id);
create index points_player_changes_oldest on points_player_changes (at);

-- is_large_leaderboard reports whether a map has so many players that its points are computed apart from others.
-- +goose StatementBegin
create function is_large_leaderboard(of_map uuid) returns boolean language sql stable as $$
    select coalesce((select players >= 2000 from map_totals where map_id = of_map), false)
$$;
-- +goose StatementEnd

-- queue_points_of_personal_bests queues the maps and the players of changed personal bests.
-- +goose StatementBegin
create function queue_points_of_personal_bests() returns trigger language plpgsql as $$
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

create trigger queue_added after insert on personal_bests
    referencing new table as changed for each statement execute function queue_points_of_personal_bests();
create trigger queue_changed after update on personal_bests
    referencing old table as deleted new table as added for each statement
    execute function queue_points_of_personal_bests();
create trigger queue_deleted after delete on personal_bests
    referencing old table as changed for each statement execute function queue_points_of_personal_bests();

-- queue_points_of_map queues a map and its players.
-- +goose StatementBegin
create function queue_points_of_map() returns trigger language plpgsql as $$
begin
    insert into points_map_changes (map_id, large, with_players) values (new.id, is_large_leaderboard(new.id), true);
    return null;
end
$$;
-- +goose StatementEnd

create trigger queue_added after insert on maps for each row execute function queue_points_of_map();
create trigger queue_changed after update on maps
    for each row when (
        counts_for_points(old) <> counts_for_points(new)
        or (old.author_id, old.game_mode, old.medal_author, old.medal_gold, old.medal_silver, old.medal_bronze)
            is distinct from
            (new.author_id, new.game_mode, new.medal_author, new.medal_gold, new.medal_silver, new.medal_bronze))
    execute function queue_points_of_map();

-- queue_points_of_player queues a player who may begin or cease to count.
-- +goose StatementBegin
create function queue_points_of_player() returns trigger language plpgsql as $$
begin
    insert into points_player_changes (player_id, large) values (new.id, false);
    return null;
end
$$;
-- +goose StatementEnd

create trigger queue_added after insert on players
    for each row when (new.registered) execute function queue_points_of_player();
create trigger queue_changed after update on players
    for each row when ((old.registered, old.banned, old.removed) is distinct from (new.registered, new.banned, new.removed))
    execute function queue_points_of_player();

-- points_wanted returns what record_points should say of maps.
-- +goose StatementBegin
create function points_wanted(of_maps uuid[], least_finishers integer)
returns table (map_id uuid, player_id uuid, opponents integer, slower integer, tied integer, points integer,
    world_record boolean) language sql stable as $$
    select p.map_id, p.player_id, p.opponents::integer, p.slower::integer, p.tied::integer,
        case when p.opponents + 1 >= least_finishers then points_on_map(p.opponents, p.slower, p.tied) else 0 end::integer,
        p.slower + p.tied = p.opponents and coalesce(p.record_id = (
            select w.record_id from world_records w where w.map_id = p.map_id order by w.finish_time limit 1), false)
    from (
        select b.map_id, b.player_id, b.record_id,
            count(*) over (partition by b.map_id) - 1 as opponents,
            count(*) over (partition by b.map_id)
                - count(*) over (partition by b.map_id order by b.finish_time) as slower,
            count(*) over (partition by b.map_id, b.finish_time) - 1 as tied
        from personal_bests b
            join maps m on m.id = b.map_id and counts_for_points(m)
            join points_players c on c.player_id = b.player_id and c.counts
        where b.map_id = any (of_maps)
    ) p
$$;
-- +goose StatementEnd

-- rankings_wanted returns what rankings should say of players, of all time and in a month.
-- +goose StatementBegin
create function rankings_wanted(of_players uuid[], of_month text, month_from timestamptz, month_until timestamptz)
returns table (period text, mode text, player_id uuid, kind text, value bigint) language sql stable as $$
    with finished as materialized (
        select b.player_id, b.map_id, m.game_mode, coalesce(p.points, 0) as points, coalesce(p.world_record, false) as world_record,
            b.created_at >= month_from and b.created_at < month_until as in_month,
            case
                when b.finish_time <= m.medal_author then 'author'
                when b.finish_time <= m.medal_gold then 'gold'
                when b.finish_time <= m.medal_silver then 'silver'
                when b.finish_time <= m.medal_bronze then 'bronze'
            end as medal
        from unnest(of_players) as o (player_id)
            join points_players c on c.player_id = o.player_id and c.counts
            join personal_bests b on b.player_id = o.player_id
            join maps m on m.id = b.map_id and counts_for_points(m)
            left join record_points p on p.map_id = b.map_id and p.player_id = b.player_id
    ), positioned as (
        select period, modes.mode, f.*, row_number() over (
            partition by period, modes.mode, player_id order by points desc, map_id) as position
        from finished f
            cross join (values ('all'), (of_month)) as periods (period)
            cross join lateral (select '' as mode union select f.game_mode where f.game_mode is not null) modes
        where period = 'all' or f.in_month
    ), sums as (
        select period, p.mode, player_id,
            div(coalesce(sum((p.points * w.weight + 5000000) / 10000000), 0) + 50000, 100000)::bigint as points,
            count(*) filter (where world_record) as world_records,
            count(*) filter (where medal = 'author') as author, count(*) filter (where medal = 'gold') as gold,
            count(*) filter (where medal = 'silver') as silver, count(*) filter (where medal = 'bronze') as bronze,
            count(*) as finished
        from positioned p left join points_weights w using (position)
        group by 1, 2, 3
    )
    select s.period, s.mode, s.player_id, k.kind, k.value
    from sums s cross join lateral (values
        ('points', s.points), ('worldRecords', s.world_records), ('authorMedals', s.author), ('goldMedals', s.gold),
        ('silverMedals', s.silver), ('bronzeMedals', s.bronze), ('finished', s.finished)
    ) as k (kind, value)
    where k.value > 0
$$;
-- +goose StatementEnd

-- +goose Down

drop function rankings_wanted;
drop function points_wanted;
drop trigger queue_changed on players;
drop trigger queue_added on players;
drop function queue_points_of_player;
drop trigger queue_changed on maps;
drop trigger queue_added on maps;
drop function queue_points_of_map;
drop trigger queue_deleted on personal_bests;
drop trigger queue_changed on personal_bests;
drop trigger queue_added on personal_bests;
drop function queue_points_of_personal_bests;
drop function is_large_leaderboard;
drop table points_player_changes;
drop table points_map_changes;
drop table points_days;
drop table points_before;
drop function ranking_place;
drop function ranking_start;
drop table ranking_counts;
drop table rankings;
drop function count_rankings;
drop table record_points;
drop table points_players;
drop table points_maps;
drop table points_state;
drop table points_weights;
drop function points_on_map;
drop function counts_for_points;
alter table maps drop column author_id;
