-- 10,000 records on map 0, 1,000,000 on map 2000 and 500,000 on the maps between, 30 to 470 on each.
create temporary table wanted as
select m, case m when 0 then 10000 when 2000 then 1000000 else 30 + m * 7919 % 441 end as records
from generate_series(0, 2000) m;

insert into players (id, version, name, registered)
select format('01970000-0000-7002-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, 1, 'player ' || n, true
from generate_series(0, 999999) n;

insert into maps (id, version, name, game_map_id, fingerprint, author_id)
select format('01970000-0000-7001-8000-%s', lpad(to_hex(m), 12, '0'))::uuid, 1, 'map ' || m, m + 1, lpad(to_hex(m), 64, '0'),
       format('01970000-0000-7002-8000-%s', lpad(to_hex(m % 500), 12, '0'))::uuid
from wanted;

-- Finish times, in milliseconds on a frame of the game, pile up above 30 s with a long tail.
insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
    checks_hash, map_data_hash)
select format('01970000-0000-7003-8000-%s', lpad(to_hex(m::bigint * 16777216 + n), 12, '0'))::uuid,
       format('01970000-0000-7001-8000-%s', lpad(to_hex(m), 12, '0'))::uuid,
       format('01970000-0000-7002-8000-%s', lpad(to_hex(case when records > 20000 then n else (m * 7919 + n) % 20000 end), 12, '0'))::uuid,
       ((900 + (-300 * ln(1 - random()))::int) * 1000 + 15) / 30,
       timestamptz '2026-01-01' + n * interval '1 second', md5(m || ' ' || n),
       timestamptz '2026-01-01' + n * interval '1 second' + m * interval '1 millisecond', '', ''
from wanted cross join lateral generate_series(0, records - 1) n;

insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
select map_id, player_id, id, finish_time, finished_at, created_at, 1 from records;

insert into rank_counts (map_id, step, finish_time, players)
select map_id, step, finish_time / step * step, count(*)
from personal_bests cross join (values (1), (5000)) as steps (step)
group by 1, 2, 3;

insert into map_totals (map_id, version, records, players, fastest)
select map_id, 1, count(*), count(*), min(finish_time) from records group by 1;
insert into player_totals (player_id, version, records)
select player_id, 1, count(*) from records group by 1;
select count(rebuild_world_records(map_id)) from map_totals;
