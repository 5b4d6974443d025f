-- A ranking of 100,000 players in a mode that no ranked map has, whose values are spread as those of points are.
insert into rankings (period, mode, player_id, kind, value)
select 'all', 'Simple', format('01970000-0000-7002-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, kind,
    1 + (abs(hashint4(n))::bigint * abs(hashint4(-n)) / 4294967296) % 90000
from generate_series(0, 99999) n cross join (values ('points'), ('finished')) as kinds (kind)
on conflict do nothing;
insert into ranking_counts (period, mode, kind, step, value, players)
select period, mode, kind, step, value / step * step, count(*)
from rankings cross join (values (1), (1000)) as steps (step)
where mode = 'Simple' group by 1, 2, 3, 4, 5
on conflict do nothing;
analyze rankings, ranking_counts;

-- 1,000 maps that ten of the players that count have finished.
insert into maps (id, version, name, game_map_id, fingerprint, author_id)
select format('01970000-0000-7001-8001-%s', lpad(to_hex(m), 12, '0'))::uuid, 1, 'small map ' || m, 1000000 + m,
    lpad(to_hex(m), 64, '0'), format('01970000-0000-7002-8000-%s', lpad(to_hex(m % 500), 12, '0'))::uuid
from generate_series(1, 1000) m
on conflict do nothing;
insert into map_totals (map_id, version, records, players)
select id, 1, 0, 0 from maps where game_map_id > 1000000 on conflict do nothing;
insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
select m.id, b.player_id, b.record_id, b.finish_time, b.finished_at, b.created_at, 1
from maps m cross join lateral (
    select * from personal_bests
    where map_id = '01970000-0000-7001-8000-000000000000' order by finish_time, finished_at, record_id
    limit 10 offset (m.game_map_id - 1000000) * 9
) b
where m.game_map_id > 1000000
on conflict do nothing;
