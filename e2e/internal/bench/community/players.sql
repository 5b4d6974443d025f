-- 100,000 players with names of two words and a number.
insert into players (id, version, name, name_key, level, registered, created_at, updated_at, search_key)
select format('01970000-0000-7002-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, 1, name, name, n % 400, true,
       '2026-01-01', '2026-01-01', name
from (
    select n, (array['cloud', 'river', 'moss', 'pebble', 'night', 'copper', 'frost', 'ember', 'solar', 'tidal', 'velvet'])[1 + n % 11]
        || (array['step', 'fox', 'foot', 'hop', 'lark', 'jump', 'otter', 'spark', 'moth', 'dash', 'wren', 'bean', 'loop'])[1 + n % 13]
        || n as name
    from generate_series(0, 99999) n
) named;

insert into player_totals (player_id, maps, records, records_version) select id, 0, 0, 1 from players on conflict do nothing;
