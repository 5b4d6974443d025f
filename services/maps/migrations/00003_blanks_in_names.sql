-- +goose Up
-- Blanks inside a name are part of it (playername.Key); keys had one for several. The words of a key are those of its
-- name, which has the blanks.
update players set name_key = (
    select string_agg(word.text || coalesce(blanks.text, ''), '' order by word.n)
    from unnest(regexp_split_to_array(name_key, ' +')) with ordinality word (text, n)
    left join (select found[1], n from regexp_matches(btrim(name), '( +)', 'g') with ordinality f (found, n)) blanks (text, n)
        on blanks.n = word.n
)
where btrim(name) like '%  %';

-- +goose Down
update players set name_key = regexp_replace(name_key, ' +', ' ', 'g') where name_key like '%  %';
