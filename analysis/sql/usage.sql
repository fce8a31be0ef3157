-- What applications have used, by day or month: the counts of the trends, and what they do not hold
-- yet. Each check is in one part alone: counted, ended and waiting to be counted, or not ended.
WITH used AS (
    SELECT application_id, (bucket AT TIME ZONE 'UTC')::date AS day,
           counts[%(done)s] AS done, counts[%(failed)s] AS failed, 0 AS unended, 0 AS claims
    FROM analysis_trendcell
    WHERE application_id = ANY(%(applications)s) AND dimension = 'all' AND grain = 'day'
      AND value = '' AND bucket >= %(first)s::timestamp AT TIME ZONE 'UTC'
      AND bucket < %(behind)s::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    SELECT application_id, day, 0, 0, 0, claims
    FROM analysis_claimday
    WHERE application_id = ANY(%(applications)s) AND day >= %(first)s AND day < %(behind)s
    UNION ALL
    SELECT c.application_id, (c.created_at AT TIME ZONE 'UTC')::date,
           CASE WHEN p.failed THEN 0 ELSE p.delta END, CASE WHEN p.failed THEN p.delta ELSE 0 END,
           0, CASE WHEN p.failed THEN 0 ELSE p.delta END
              * (SELECT count(*) FROM analysis_claim WHERE annotated_answer_id = c.id)
    FROM analysis_trendpending AS p JOIN analysis_check AS c ON c.id = p.check_id
    WHERE c.application_id = ANY(%(applications)s)
      AND c.created_at >= %(first)s::timestamp AT TIME ZONE 'UTC'
      AND c.created_at < %(behind)s::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    -- With OR, both indexes of the work queue serve.
    SELECT application_id, (created_at AT TIME ZONE 'UTC')::date, 0, 0, 1, 0
    FROM analysis_check
    WHERE (state = 'queued' OR state = 'running') AND NOT is_probe AND application_id = ANY(%(applications)s)
      AND created_at >= %(first)s::timestamp AT TIME ZONE 'UTC'
      AND created_at < %(behind)s::timestamp AT TIME ZONE 'UTC'
)
SELECT application_id, date_trunc(%(grain)s, day::timestamp)::date,
       sum(done + failed + unended)::bigint, sum(done)::bigint, sum(failed)::bigint,
       sum(claims)::bigint
FROM used
GROUP BY 1, 2
HAVING sum(done + failed + unended) > 0
ORDER BY 1, 2
