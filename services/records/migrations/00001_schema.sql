-- +goose Up

-- Every accepted record. A removed one keeps its row, so that its replay stays refused.
create table records (
    id                 uuid    primary key,
    -- The order in which the records of one map were accepted. It is drawn under the lock of the map (map_totals).
    seq                bigint  generated always as identity,
    map_id             uuid    not null,
    player_id          uuid    not null,
    -- Milliseconds.
    finish_time        integer not null check (finish_time > 0),
    -- When the record was made, as its replay says. Where the replay does not say it (undated), when it was submitted.
    finished_at        timestamptz not null,
    undated            boolean not null default false,
    -- Hexadecimal SHA-256 of the replay.
    replay_hash        text    collate "C" not null constraint records_replay unique,
    -- When the record was accepted.
    created_at         timestamptz not null,
    -- Who submitted the record, where that player was merged into another since. Null for all others.
    submitted_by       uuid,
    -- Null when the record was no personal best as it was accepted.
    rank_at_submission bigint check (rank_at_submission > 0),
    -- What was checked of the replay (check_lists.hash). Without a foreign key, whose check costs every submission: no
    -- list is ever deleted.
    checks_hash        bytea   not null,
    -- The SHA-256 of the map data of the replay.
    map_data_hash      bytea   not null,
    -- Empty where the replay has no valid version.
    mod_version        text    not null default '',
    game_version       text    not null default '',
    removed_at         timestamptz,
    removed_reason     text,
    -- When the replay of a removed record was deleted.
    replay_purged_at   timestamptz,
    -- Two records of a map that end in the same frame at the same moment are one. Everything on a map has the map's
    -- physics, so that no new decoration or spelling of the map data passes a copied record off as another.
    constraint records_duplicate_finish unique (map_id, finish_time, finished_at),
    constraint records_removed check (num_nulls(removed_at, removed_reason) in (0, 2)),
    constraint records_replay_purged check (replay_purged_at is null or removed_at is not null)
);

-- The lists of checks. The records that were accepted under the same rules share a list.
create table check_lists (
    -- SHA-256 of the list.
    hash   bytea primary key,
    checks jsonb not null
);

-- The record with whose replay each map was submitted.
create table first_records (
    map_id    uuid primary key,
    record_id uuid not null references records on delete cascade
);

-- The leaderboards: each player's best active record on each map that is not removed.
create table personal_bests (
    map_id      uuid    not null,
    player_id   uuid    not null,
    record_id   uuid    not null references records,
    finish_time integer not null,
    finished_at timestamptz not null,
    created_at  timestamptz not null,
    -- How many active records the player has on the map.
    records     integer not null check (records > 0),
    -- A player's row is read from the index alone. What it includes makes it cheaper than personal_bests_leaderboard to
    -- the planner, which would else read whole leaderboards for one row, as long as the usual one is short.
    primary key (map_id, player_id) include (record_id, finish_time, finished_at, created_at)
) with (fillfactor = 90);

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

-- The active records of each map that were faster than every earlier active record of the map. A removed map has none.
-- Triggers on records keep it, under the lock of the map's row in map_totals.
create table world_records (
    map_id      uuid        not null,
    -- Milliseconds.
    finish_time integer     not null,
    record_id   uuid        not null references records,
    player_id   uuid        not null,
    -- The record's place in the order of acceptance.
    seq         bigint      not null,
    -- When it became the world record: when the record was accepted, or the one before it, if that was later.
    since       timestamptz not null,
    primary key (map_id, finish_time)
);

-- What a map has; nothing while it is removed. Each map with a copy has a row. It is the lock of everything that
-- belongs to the map: records, personal_bests, rank_counts and world_records.
create table map_totals (
    map_id         uuid   primary key,
    -- Raised by one at each change (state.v1.mapstats.<id>).
    version        bigint not null,
    records        bigint not null check (records >= 0),
    players        bigint not null check (players >= 0),
    enough_players boolean not null generated always as (players >= 5) stored,
    -- The players whose personal best earns at least bronze.
    bronze_players bigint  not null default 0 check (bronze_players >= 0),
    -- In whole percent. 0 for a map without medal times or without players.
    bronze_share   integer not null
        generated always as (case when players = 0 then 0 else bronze_players * 100 / players end) stored,
    -- The shortest finish time, in milliseconds. Null on a map without personal bests.
    fastest        integer
) with (fillfactor = 70);

-- What a player has, on maps that are not removed. Locked after the rows of maps and in the order of ids, by every
-- change of the player's records.
create table player_totals (
    player_id uuid    primary key,
    -- Raised by one at each change (state.v1.playerstats.<id>).
    version   bigint  not null,
    records   bigint  not null check (records >= 0),
    -- True while the records of the player are hidden: they are on no leaderboard and in no total.
    hidden    boolean not null default false
) with (fillfactor = 70);

-- A copy of state.v1.map.<id>, by version. A tombstone keeps what was known of the map.
create table maps (
    id              uuid    primary key,
    version         bigint  not null,
    removed         boolean not null default false,
    -- True while the leaderboard of a map that was removed is made again. The map is not shown until that is done.
    restoring       boolean not null default false,
    name            text    not null default '',
    game_map_id     bigint  not null default 0,
    -- The version of the game's map, counted from 1. A tombstone has 0.
    map_version     integer not null default 1 check (map_version >= 0),
    -- True when the map has a newer version that is not removed.
    superseded      boolean not null default false,
    unranked        boolean not null default false,
    unranked_reason text    not null default '',
    -- Whether records on the map earn points.
    gives_points    boolean not null generated always as (not removed and not superseded and not unranked) stored,
    -- A display name.
    game_mode       text    not null default '',
    -- Null on the tombstone of a map that had no copy.
    author_id       uuid,
    -- Hexadecimal hash of everything in the map that affects physics.
    fingerprint     text    not null default '',
    -- Milliseconds; all 0 when the author has not set any.
    medal_author    integer not null default 0,
    medal_gold      integer not null default 0,
    medal_silver    integer not null default 0,
    medal_bronze    integer not null default 0,
    -- Where the drawn picture lies in the object storage. Empty where there is none.
    picture_bucket  text    not null default '',
    picture_key     text    not null default ''
);

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

-- The maps that are not among a player's goals until a time.
create table goals_put_aside (
    player_id uuid        not null,
    map_id    uuid        not null,
    until     timestamptz not null,
    primary key (player_id, map_id)
);

-- The dumps of all public data, which lie in the object storage.
create table dumps (
    -- In UTC. A day has one dump.
    day         date        primary key,
    -- What the keys of its files begin with.
    folder      text        not null unique,
    finished_at timestamptz not null,
    manifest    jsonb       not null
);

-- Points and rankings. All of it is computed from personal bests, outside of the transactions that change them.

-- One row: with what the points were computed.
create table points_state (
    id              boolean primary key default true check (id),
    formula_version integer not null,
    finishers       integer not null,
    maps            integer not null,
    authors         integer not null,
    -- The last day (UTC) whose points and ranks are in points_days.
    day             date    not null
);

-- The maps whose points were computed.
create table points_maps (
    map_id    uuid    primary key,
    -- Players that count with a personal best.
    finishers integer not null,
    -- When changes of a large leaderboard may be computed again. Null for others.
    due_at    timestamptz
) with (fillfactor = 70);

-- The players with personal bests on maps that give points.
create table points_players (
    player_id uuid    primary key,
    -- How many such maps, and by how many authors.
    maps      integer not null,
    authors   integer not null,
    -- True for a player who is ranked, and an opponent of others.
    counts    boolean not null
) with (fillfactor = 70);

-- The points of players that count, on maps that give points.
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

-- How many players of a ranking have each value (step 1), and how many lie in each thousand (step 1000, value is where
-- they begin). It is written with rankings.
create table ranking_counts (
    period  text    collate "C" not null,
    mode    text    collate "C" not null,
    kind    text    collate "C" not null,
    step    integer not null,
    value   bigint  not null,
    players integer not null check (players > 0),
    primary key (period, mode, kind, step, value)
) with (fillfactor = 70);

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
create table points_changes (
    id          bigint      primary key generated always as identity,
    -- The map whose points are to be computed. Null for a change of a player, who may begin or cease to count.
    map_id      uuid,
    -- With a map: a player whom a record has passed on it, and who is told what that has cost.
    player_id   uuid,
    record_id   uuid,
    -- True where the map itself has changed, which concerns all of its players.
    map_changed boolean     not null default false,
    at          timestamptz not null default clock_timestamp(),
    constraint points_changes_kind check (num_nulls(map_id, player_id) = num_nulls(record_id))
);

insert into points_state (formula_version, finishers, maps, authors, day) values (0, 0, 0, 0, '2000-01-01');

-- The lists of all records and of a player's, each in two orders. Those of all skip the records of removed maps and of
-- hidden players.
create index records_newest on records (created_at, id)
    include (map_id, player_id) where removed_at is null;
create index records_fastest on records (finish_time, finished_at, id)
    include (map_id, player_id) where removed_at is null;
create index records_of_player_newest on records (player_id, created_at, id)
    include (map_id) where removed_at is null;
create index records_of_player_fastest on records (player_id, finish_time, finished_at, id)
    include (map_id) where removed_at is null;
-- A player's next-best record, where the best is removed.
create index records_of_player_on_map on records (map_id, player_id, finish_time, seq) where removed_at is null;
-- A player's finishes before and after another one, for the moderators.
create index records_of_player_finished on records (player_id, finished_at, id)
    where removed_at is null and not undated;
-- For merges: a merged player's removed records become the other's.
create index records_removed_of_player on records (player_id, map_id) where removed_at is not null;
create index records_replays_to_purge on records (removed_at)
    where removed_at is not null and replay_purged_at is null;
-- Without a time stamp, the same player, map and finish time again is a duplicate. The player is the one who submitted
-- it, so that a merge of two players violates nothing.
create unique index records_undated on records (map_id, coalesce(submitted_by, player_id), finish_time) where undated;

create index first_records_record on first_records (record_id);

-- A page of a leaderboard is read from the index alone.
create index personal_bests_leaderboard on personal_bests (map_id, finish_time, finished_at, record_id)
    include (player_id, created_at);
-- For statistics, comparisons and searches by progress. The map is no key column: of the row of one player on one map,
-- the planner would expect as much of this index as of the primary key.
create index personal_bests_of_player on personal_bests (player_id)
    include (map_id, record_id, finish_time, finished_at, created_at);

-- The newest world records of all maps.
create index world_records_newest on world_records (since, record_id) include (map_id, finish_time);
create index world_records_of_player on world_records (player_id, map_id);

-- The easiest maps first: those that enough players have finished, by the share of players with bronze, then the
-- shortest.
create index map_totals_easiest on map_totals (enough_players desc, bronze_share desc, fastest, map_id);
create index player_totals_hidden on player_totals (player_id) where hidden;

-- The versions of a game's map, also the removed ones.
create index maps_by_game_map_id on maps (game_map_id);
-- The maps that are listed, for their numbers by mode and in all.
create index maps_listed on maps (game_mode) where not removed and not superseded;
create index maps_removed on maps (id) where removed;
create index players_registered  on players (id) where registered;
create index players_merged_into on players (merged_into) where merged_into is not null;

create index goals_put_aside_until on goals_put_aside (until);

create index rankings_ordered on rankings (period, mode, kind, value desc, player_id);
create index rankings_of_player on rankings (player_id);
create index points_changes_oldest on points_changes (at);
create index points_changes_oldest_of_players on points_changes (at) where map_id is null;
create index points_changes_of_map on points_changes (map_id);
create index points_changes_of_player on points_changes (player_id) where map_id is null;
create index points_before_day on points_before (day);

-- +goose StatementBegin

-- count_personal_bests keeps rank_counts and what map_totals says of personal bests.
create function count_personal_bests() returns trigger language plpgsql as $$
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

create trigger count_added after insert on personal_bests
    referencing new table as added for each statement execute function count_personal_bests();
create trigger count_changed after update on personal_bests
    referencing old table as deleted new table as added for each statement execute function count_personal_bests();
create trigger count_deleted after delete on personal_bests
    referencing old table as deleted for each statement execute function count_personal_bests();

-- count_bronze counts the players with bronze after the map's medal times have changed. The store holds the map's lock.
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

create trigger bronze_added after insert on maps
    for each row when (new.medal_bronze > 0) execute function count_bronze();
create trigger bronze_changed after update of medal_bronze on maps
    for each row when (new.medal_bronze <> old.medal_bronze) execute function count_bronze();

-- leaderboard_start returns the finish time of the row at an offset of a leaderboard, and how many rows lie before that
-- finish time. For an offset past the end it returns the last finish time.
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

-- leaderboard_rank returns the rank that a record has, or would have, on the leaderboard of its map.
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

-- add_world_record adds a new record that is faster than its map's world record. An equal time does not replace it.
create function add_world_record() returns trigger language plpgsql as $$
begin
    insert into world_records (map_id, finish_time, record_id, player_id, seq, since)
    select new.map_id, new.finish_time, new.id, new.player_id, new.seq, greatest(new.created_at, best.since)
    from (values (new.map_id)) as record (map_id) left join lateral (
        select w.finish_time, w.since from world_records w where w.map_id = record.map_id order by w.finish_time limit 1
    ) best on true
    where best.finish_time is null or new.finish_time < best.finish_time;
    return null;
end
$$;

create trigger world_record_added after insert on records
    for each row when (new.removed_at is null) execute function add_world_record();

-- rebuild_world_records computes the world records of a map from its active records.
create function rebuild_world_records(of_map uuid) returns void language plpgsql as $$
begin
    delete from world_records where map_id = of_map;
    insert into world_records (map_id, finish_time, record_id, player_id, seq, since)
    select map_id, finish_time, id, player_id, seq, max(created_at) over (order by seq)
    from (
        select map_id, finish_time, id, player_id, seq, created_at, min(finish_time) over (
            order by seq rows between unbounded preceding and 1 preceding) as best_before
        from records
        where map_id = of_map and removed_at is null
            and player_id not in (select player_id from player_totals where hidden)
    ) accepted
    where (best_before is null or finish_time < best_before)
        and not exists (select from maps where id = of_map and removed);
end
$$;

-- rebuild_world_records_of_record rebuilds the world records of a map when a record was removed or restored, unless an
-- earlier world record was as fast, because then the record was none.
create function rebuild_world_records_of_record() returns trigger language plpgsql as $$
begin
    if not exists (
        select from world_records
        where map_id = new.map_id and finish_time <= new.finish_time and seq < new.seq)
    then
        perform rebuild_world_records(new.map_id);
    end if;
    return null;
end
$$;

create trigger world_records_rebuilt after update of removed_at on records
    for each row when (new.removed_at is distinct from old.removed_at)
    execute function rebuild_world_records_of_record();

-- transfer_world_record gives a world record to the player of its record, who has changed.
create function transfer_world_record() returns trigger language plpgsql as $$
begin
    update world_records set player_id = new.player_id
    where map_id = new.map_id and finish_time = new.finish_time and record_id = new.id;
    return null;
end
$$;

create trigger world_record_transferred after update of player_id on records
    for each row when (new.player_id <> old.player_id) execute function transfer_world_record();

-- +goose StatementEnd

-- ranking_start returns the value of the row at an offset of a ranking, and how many players have a greater one. For an
-- offset past the end it returns the last value.
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

-- ranking_place returns the place that a value has, or would have: 1 and the players with a greater value.
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

-- changed_at returns when a personal best has changed, of a record that was accepted at a time. A change of points is
-- as old as the record that makes it; records that were accepted earlier (restored or merged ones, and first records)
-- change points now.
create function changed_at(accepted_at timestamptz) returns timestamptz language sql volatile as $$
    select case
        when accepted_at between clock_timestamp() - interval '1 minute' and clock_timestamp() then accepted_at
        else clock_timestamp()
    end
$$;

-- +goose StatementBegin

-- add_personal_best_change adds the changes of points that come from a personal best.
create function add_personal_best_change() returns trigger language plpgsql as $$
declare
    best personal_bests := coalesce(new, old);
begin
    insert into points_changes (map_id, player_id, at)
    values (best.map_id, null, changed_at(best.created_at)), (null, best.player_id, changed_at(best.created_at));
    return null;
end
$$;

create trigger points_changed after insert or delete on personal_bests
    for each row execute function add_personal_best_change();
create trigger points_changed_by_record after update on personal_bests
    for each row when (new.record_id <> old.record_id) execute function add_personal_best_change();

create function add_map_change() returns trigger language plpgsql as $$
begin
    insert into points_changes (map_id, map_changed) values (new.id, true);
    return null;
end
$$;

create trigger points_begun after insert on maps for each row execute function add_map_change();
create trigger points_changed after update on maps
    for each row when (
        (old.gives_points, old.author_id, old.game_mode,
            old.medal_author, old.medal_gold, old.medal_silver, old.medal_bronze)
        is distinct from
        (new.gives_points, new.author_id, new.game_mode,
            new.medal_author, new.medal_gold, new.medal_silver, new.medal_bronze))
    execute function add_map_change();

create function add_player_change() returns trigger language plpgsql as $$
begin
    insert into points_changes (player_id) values (new.id);
    return null;
end
$$;

create trigger points_begun after insert on players
    for each row when (new.registered) execute function add_player_change();
create trigger points_changed after update on players
    for each row when ((old.registered, old.banned, old.removed) is distinct from (new.registered, new.banned, new.removed))
    execute function add_player_change();

-- +goose StatementEnd
