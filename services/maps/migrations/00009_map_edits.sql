-- +goose Up
-- What authors and moderators have changed of maps, without submitting them again.
create table map_edits (
    id                   uuid        primary key,
    map_id               uuid        not null references maps,
    at                   timestamptz not null,
    editor_id            uuid        not null,
    -- The description, tags, medal times and keys of the uploaded picture before and after (parkourmap.EditedValues).
    before               jsonb       not null,
    after                jsonb       not null,
    -- The replaced picture, which is kept as long as the edit and not served. Null where it was not replaced, or was the
    -- drawing.
    before_image_key     text,
    before_thumbnail_key text,
    -- The edit that this one undoes, which may be deleted, and why.
    undoes               uuid,
    reason               text        not null default ''
);
create index map_edits_of_map on map_edits (map_id, at desc, id desc);
create index map_edits_by_editor on map_edits (editor_id);
create index map_edits_by_image on map_edits (before_image_key) where before_image_key is not null;
create index map_edits_by_thumbnail on map_edits (before_thumbnail_key) where before_thumbnail_key is not null;

-- +goose Down
drop table map_edits;
