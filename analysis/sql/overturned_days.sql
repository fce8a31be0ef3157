-- Settled reviews by day (UTC) and segment, and how many of them overturned the action: of flagged
-- answers, and of allowed ones in the quality sample. As `decided.sql`: none that another review
-- follows, and none on a seeded case.
SELECT r.application_id, part.dimension, part.value, (r.decided_at AT TIME ZONE 'UTC')::date,
       CASE WHEN r.reason IN ('block', 'warn') THEN 'overturned_flagged'
            ELSE 'overturned_allowed' END,
       count(*) FILTER (WHERE r.decision = 'overturned'),
       count(*) FILTER (WHERE r.decision = 'confirmed')
FROM analysis_review AS r
JOIN analysis_check AS c ON c.id = r.check_record_id
CROSS JOIN LATERAL (
    SELECT 'all' AS dimension, '' AS value
    UNION ALL SELECT 'source_model', c.source_model
    UNION ALL SELECT 'collection', jsonb_array_elements_text(c.collections)
) AS part
WHERE r.application_id = ANY(%(applications)s::uuid[])
  AND r.decided_at >= %(start)s AND r.decided_at < %(end)s
  AND r.decision IN ('confirmed', 'overturned')
  AND (r.reason IN ('block', 'warn', 'quality_sample') OR r.reason = 'not_checked' AND c.sampled)
  AND NOT c.is_probe
  AND NOT EXISTS (SELECT FROM analysis_review AS further
                  WHERE further.check_record_id = r.check_record_id
                    AND further.id > r.id AND further.stage <> 'first')
GROUP BY 1, 2, 3, 4, 5
