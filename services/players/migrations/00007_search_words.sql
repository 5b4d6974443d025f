-- +goose Up
-- Blanks in place of underscores and dashes and around each character of scripts without blanks, and quotation marks of
-- one kind (search.Key).
update players set search_key = btrim(regexp_replace(regexp_replace(
    translate(search_key, '_-‐‑‒–—―−‘’‚‛′`“”„‟«»', '         ''''''''''''""""""'),
    '([\u0E01-\u0E30\u0E32\u0E33\u0E40-\u0E46\u0E81-\u0EB0\u0EB2\u0EB3\u0EC0-\u0EC6\u3005\u3007\u3041-\u3096\u309D-\u309F\u30A1-\u30FA'
    '\u30FC-\u30FF\u3105-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\U00020000-\U0003FFFF][\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1'
    '\u0EB4-\u0EBC\u0EC8-\u0ECE]*)', ' \1 ', 'g'), ' +', ' ', 'g'))
where search_key ~ '[^ !-,./0-9:-^a-~]';

-- The characters outside of ASCII. Trigrams have none of them where the database's character type is C.
create function search_letters(search_key text) returns text[] immutable parallel safe language sql
    return string_to_array(regexp_replace(search_key, '[ -~]+', '', 'g'), null);
create index players_by_search_letters on players using gin (search_letters(search_key)) where registered;

-- +goose Down
drop index players_by_search_letters;
drop function search_letters;
