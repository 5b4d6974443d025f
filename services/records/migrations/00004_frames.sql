-- +goose Up

-- How many players' best runs end in each frame of the game, beside stretches: what lies before a page or a run within
-- its stretch is a short sum too, so that only ties of one frame are counted one by one.
create table frames (
    map_id      uuid    not null,
    -- Milliseconds.
    finish_time integer not null,
    players     integer not null check (players >= 0),
    primary key (map_id, finish_time)
) with (fillfactor = 70);

insert into frames (map_id, finish_time, players) select map_id, finish_time, count(*) from bests group by 1, 2;

-- +goose Down
drop table frames;
