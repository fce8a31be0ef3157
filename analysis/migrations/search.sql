-- Scripts without spaces between words (Han, Kana, Hangul) are searched by the character.
CREATE FUNCTION watchdog_search_text(content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN content ~ '[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]'
        THEN regexp_replace(content, '([\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF])', ' \1 ', 'g')
        ELSE content END
$$;

-- Nothing to look for finds nothing, also among marked rows.
CREATE FUNCTION watchdog_search_query(words text, begins text, marks text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN numnode(query) = 0 THEN query ELSE query && marks::tsquery END
    FROM (SELECT websearch_to_tsquery('simple', watchdog_search_text(words))
                 && to_tsquery('simple', begins) AS query) AS q
$$;
