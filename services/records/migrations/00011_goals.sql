-- Goals that players put aside, and which maps are the easiest.

-- +goose Up

-- The maps that are not among a player's goals until a time.
create table goals_put_aside (
    player_id uuid        not null,
    map_id    uuid        not null,
    until     timestamptz not null,
    primary key (player_id, map_id)
);
create index goals_put_aside_until on goals_put_aside (until);

alter table map_totals
    -- The players whose personal best earns at least bronze.
    add column bronze_players bigint  not null default 0 check (bronze_players >= 0),
    -- In whole percent. 0 for a map without medal times or without players.
    add column bronze_share   integer not null
        generated always as (case when players = 0 then 0 else bronze_players * 100 / players end) stored,
    -- The shortest finish time, in milliseconds. Null on a map without personal bests.
    add column fastest        integer;

-- From now on each map with a copy has a row: the store inserts it with the copy.
insert into map_totals (map_id, version, records, players) select id, 0, 0, 0 from maps on conflict do nothing;

-- The easiest maps first: those that five players have finished, by the share of players with bronze, then the shortest.
create index map_totals_easiest on map_totals ((players >= 5) desc, bronze_share desc, fastest, map_id);

-- count_personal_bests keeps rank_counts and what map_totals says of personal bests.
-- +goose StatementBegin
create or replace function count_personal_bests() returns trigger language plpgsql as $$
begin
    case tg_op
    when 'INSERT' then
        insert into rank_counts as c (map_id, step, finish_time, players)
        select map_id, step, finish_time / step * step, count(*)
        from added cross join (values (1), (5000)) as steps (step)
        group by 1, 2, 3
        on conflict (map_id, step, finish_time) do update set players = c.players + excluded.players;

        update map_totals t
        set players = t.players + a.players, bronze_players = t.bronze_players + a.bronze_players,
            fastest = least(t.fastest, a.fastest)
        from (
            select b.map_id, count(*) as players, count(*) filter (where b.finish_time <= m.medal_bronze) as bronze_players,
                min(b.finish_time) as fastest
            from added b left join maps m on m.id = b.map_id
            group by 1
        ) a
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

        update map_totals t
        set bronze_players = t.bronze_players + d.bronze_players,
            fastest = (select min(c.finish_time) from rank_counts c where c.map_id = t.map_id and c.step = 1)
        from (
            select b.map_id, coalesce(sum(b.change) filter (where b.finish_time <= m.medal_bronze), 0) as bronze_players
            from (select map_id, finish_time, 1 as change from added
                  union all
                  select map_id, finish_time, -1 from deleted) b left join maps m on m.id = b.map_id
            group by 1
        ) d
        where t.map_id = d.map_id
            and exists (select from added a join deleted o using (map_id, player_id) where a.finish_time <> o.finish_time);
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

        update map_totals t
        set players = t.players - d.players, bronze_players = t.bronze_players - d.bronze_players,
            fastest = (select min(c.finish_time) from rank_counts c where c.map_id = t.map_id and c.step = 1)
        from (
            select b.map_id, count(*) as players, count(*) filter (where b.finish_time <= m.medal_bronze) as bronze_players
            from deleted b left join maps m on m.id = b.map_id
            group by 1
        ) d
        where t.map_id = d.map_id;
    end case;
    return null;
end
$$;
-- +goose StatementEnd

-- count_bronze counts the players with bronze after the map's medal times have changed. The store holds the map's lock.
-- +goose StatementBegin
create function count_bronze() returns trigger language plpgsql as $$
begin
    update map_totals
    set bronze_players = (
        select coalesce(sum(players), 0) from rank_counts
        where map_id = new.id and step = 1 and finish_time <= new.medal_bronze)
    where map_id = new.id;
    return null;
end
$$;
-- +goose StatementEnd

create trigger bronze_added after insert on maps
    for each row when (new.medal_bronze > 0) execute function count_bronze();
create trigger bronze_changed after update of medal_bronze on maps
    for each row when (new.medal_bronze <> old.medal_bronze) execute function count_bronze();

update map_totals t set
    fastest = (select min(c.finish_time) from rank_counts c where c.map_id = t.map_id and c.step = 1),
    bronze_players = (
        select coalesce(sum(c.players), 0) from rank_counts c join maps m on m.id = c.map_id
        where c.map_id = t.map_id and c.step = 1 and c.finish_time <= m.medal_bronze)
where players > 0;

-- +goose Down

drop trigger bronze_changed on maps;
drop trigger bronze_added on maps;
drop function count_bronze;
-- +goose StatementBegin
create or replace function count_personal_bests() returns trigger language plpgsql as $$
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
drop index map_totals_easiest;
alter table map_totals
    drop column fastest,
    drop column bronze_share,
    drop column bronze_players;
drop table goals_put_aside;
