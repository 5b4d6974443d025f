-- +goose Up
alter table refresh_tokens
    -- Set for the one token of a generation whose exchange began the next generation.
    add column exchanged_at timestamptz;

-- Which of a generation's tokens it was is not known of earlier ones.
update refresh_tokens t set exchanged_at = (
    select min(created_at) from refresh_tokens
    where family_id = t.family_id and generation = t.generation + 1
)
from families f
where f.id = t.family_id and t.generation < f.generation;

-- +goose Down
alter table refresh_tokens drop column exchanged_at;
