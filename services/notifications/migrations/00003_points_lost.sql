-- What records have cost the players whom they have passed.

-- +goose Up

create table points_lost (
    player_id uuid        not null,
    record_id uuid        not null,
    -- Tenths of points on the record's map.
    points    integer     not null check (points > 0),
    at        timestamptz not null,
    primary key (player_id, record_id)
);
create index points_lost_at on points_lost (at);

-- +goose Down

drop table points_lost;
