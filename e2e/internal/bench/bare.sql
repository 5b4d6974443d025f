\set n random(1, 1000000000)
-- What a submission cannot do without: the record and, with it, its three events.
with record as (
    insert into bench.records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
        checks_hash, map_data_hash)
    values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), :n, now(),
        encode(sha256(gen_random_uuid()::text::bytea), 'hex'), now(), '', '')
)
insert into bench.outbox (id, subject, version, body, headers)
select gen_random_uuid(), subject, version,
    convert_to('{"data": {"id": "' || gen_random_uuid() || '", "records": ' || :n || '}}', 'utf8'), '{}'
from (values ('facts.v1.record.submitted', 0), ('state.v1.mapstats.' || :n, :n), ('state.v1.playerstats.' || :n, :n))
    as events (subject, version);
