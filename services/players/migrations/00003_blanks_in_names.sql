-- +goose Up
-- Blanks inside a name are part of it (playername.Key); keys had one for several. The words of a key are those of its
-- name, which has the blanks.
update players set name_key = (
    select string_agg(word.text || coalesce(blanks.text, ''), '' order by word.n)
    from unnest(regexp_split_to_array(name_key, ' +')) with ordinality word (text, n)
    left join (select found[1], n from regexp_matches(btrim(name), '( +)', 'g') with ordinality f (found, n)) blanks (text, n)
        on blanks.n = word.n
)
where name_key is not null and btrim(name) like '%  %';

-- Of former names only the keys are rows of their own; the name is the one among the player's that had this key.
update former_names set name_key = (
    select string_agg(word.text || coalesce(blanks.text, ''), '' order by word.n)
    from unnest(regexp_split_to_array(name_key, ' +')) with ordinality word (text, n)
    left join (select found[1], n from regexp_matches(btrim(former.name), '( +)', 'g') with ordinality f (found, n)) blanks (text, n)
        on blanks.n = word.n
)
from (select id, unnest(former_names) as name from players) former
where former.id = player_id and btrim(former.name) like '%  %'
    and lower(regexp_replace(btrim(former.name), ' +', ' ', 'g')) = lower(name_key);

-- +goose Down
update players set name_key = regexp_replace(name_key, ' +', ' ', 'g') where name_key like '%  %';
update former_names set name_key = regexp_replace(name_key, ' +', ' ', 'g') where name_key like '%  %';
