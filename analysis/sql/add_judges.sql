-- Adds what judges did to their days, in the order of the key.
INSERT INTO analysis_judgeday AS held (application_id, day, judge, decided, unavailable, calls, tokens)
SELECT application_id, day, judge, decided, unavailable, calls, tokens
FROM unnest(%(applications)s::uuid[], %(days)s::date[], %(judges)s::text[], %(decided)s::bigint[],
            %(unavailable)s::bigint[], %(calls)s::bigint[], %(tokens)s::bigint[])
     AS new (application_id, day, judge, decided, unavailable, calls, tokens)
ORDER BY application_id, day, judge
ON CONFLICT (application_id, day, judge) DO UPDATE
    SET decided = held.decided + excluded.decided,
        unavailable = held.unavailable + excluded.unavailable,
        calls = held.calls + excluded.calls,
        tokens = held.tokens + excluded.tokens
