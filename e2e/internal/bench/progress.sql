-- 5,000 maps between the others of the catalogue, with 20 records each, one of them the player's.
create temporary table played on commit drop as
select format('01970000-0000-7001-8000-%s', lpad(to_hex(m), 12, '0'))::uuid as map_id, n, m
from (select n, 2001 + n * 19 as m from generate_series(0, 4999) n) maps;

insert into maps (id, version, name, game_map_id, fingerprint, medal_author, medal_gold, medal_silver, medal_bronze)
select map_id, 1, 'map ' || m, m + 1, lpad(to_hex(m), 64, '0'), 35000, 37100, 42000, 52500 from played
on conflict (id) do nothing;

insert into map_totals (map_id, version, records, players) select map_id, 1, 20, 0 from played
on conflict (map_id) do nothing;

with added as (
    insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
        checks_hash, map_data_hash)
    select format('01970000-0000-7004-8000-%s', lpad(to_hex(n * 20 + k), 12, '0'))::uuid, map_id,
        case k when 0 then @player::uuid
            else format('01970000-0000-7002-8000-%s', lpad(to_hex((n + k * 4999) % 100000), 12, '0'))::uuid end,
        ((1000 + (n * 31 + k * 7919) % 900) * 1000 + 15) / 30, timestamptz '2026-02-01' + k * interval '1 second',
        md5('progress ' || n || ' ' || k), timestamptz '2026-02-01' + k * interval '1 second', '', ''
    from played cross join generate_series(0, 19) k
    on conflict do nothing
    returning id, map_id, player_id, finish_time, finished_at, created_at
)
insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
select map_id, player_id, id, finish_time, finished_at, created_at, 1 from added;

insert into player_totals (player_id, version, records)
select player_id, 1, count(*) from personal_bests where map_id in (select map_id from played) group by 1
on conflict (player_id) do nothing
