-- 100,000 maps with names of two words and a number, by the players.
insert into players (id, version, removed, name, name_key, skin_image_url, skin_color, banned, search_key)
select format('01970000-0000-7002-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, 1, false, 'player ' || n, 'player ' || n,
       '', '', false, 'player ' || n
from generate_series(0, 99999) n;

insert into maps (id, version, game_map_id, name, game_mode, author_id, submitted_by_id, description, tags, contributors,
    fingerprint, image_key, thumbnail_key, replay_key, created_at, updated_at, search_key)
select format('01970000-0000-7001-8000-%s', lpad(to_hex(n), 12, '0'))::uuid, 1, n + 1, name,
       (array['Classic', 'Grapple', 'VTOL', 'Arrows', 'Death Arrows', 'Simple'])[1 + n % 6], author, author, '',
       array[(array['speedrun', 'short', 'long', 'hard', 'easy', 'precision', 'fun'])[1 + n % 7]], '{}',
       lpad(to_hex(n), 64, '0'), 'maps/' || n || '.webp', 'maps/' || n || '-480.webp', 'replays/' || n,
       timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute', lower(name)
from (
    select n, format('01970000-0000-7002-8000-%s', lpad(to_hex(n * 31 % 100000), 12, '0'))::uuid as author,
        (array['Skyline', 'Furnace', 'Copper', 'Moonlit', 'Paper', 'Static', 'Velvet', 'Broken', 'Hollow', 'Amber'])[1 + n % 10]
        || ' ' || (array['Run', 'Climb', 'Descent', 'Gauntlet', 'Steps', 'Passage', 'Ladder', 'Canyon', 'Circuit'])[1 + n % 9]
        || ' ' || n as name
    from generate_series(0, 99999) n
) named;

insert into map_stats (map_id, version, records, listed) select id, 1, 0, true from maps;
insert into tag_counts (tag, maps)
    select tag, count(*) from maps cross join unnest(tags) as tag where removed_at is null group by tag on conflict do nothing;
