-- The words of checks as they are now, and behind a mark that no word has what the list filters by.
-- Of a very long answer the beginning is enough: what a tsvector can hold is bounded, and a refused
-- row would hold up all others.
INSERT INTO analysis_checksearch (check_record_id, vector)
SELECT c.id,
       to_tsvector('simple', watchdog_search_text(left(c.query, 20000)))
       || to_tsvector('simple', watchdog_search_text(left(c.answer, 80000)))
       || array_to_tsvector(array_remove(ARRAY[
              '@application=' || c.application_id,
              '@batch=' || c.batch_id,
              '@state=' || c.state,
              '@action=' || coalesce(c.action, ''),
              '@risk_level=' || coalesce(c.risk_level, '')
          ], NULL))
FROM analysis_check AS c
WHERE c.id = ANY(%(ids)s::uuid[])
ON CONFLICT (check_record_id) DO UPDATE SET vector = excluded.vector
WHERE analysis_checksearch.vector IS DISTINCT FROM excluded.vector
