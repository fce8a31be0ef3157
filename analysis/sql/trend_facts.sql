-- What trends count of some checks (analysis.trends.metrics.Facts).
SELECT c.id, c.application_id, c.created_at,
       ARRAY(SELECT jsonb_array_elements_text(c.collections)), c.source_model, p.version, c.action,
       c.risk_score,
       CASE WHEN (a.decision -> 'safety' ->> 'should_reject')::boolean
            THEN a.decision -> 'safety' ->> 'rejection_reason' END,
       jsonb_path_query_first(a.decision, '$.reasons[*] ? (@.decided == true).code') #>> '{}',
       ARRAY(SELECT n ->> 'signal'
             FROM jsonb_array_elements(a.decision -> 'not_checked') AS n
             WHERE n ->> 'status' IN ('unavailable', 'truncated', 'error')),
       a.milliseconds,
       extract(epoch FROM c.finished_at - c.created_at)::double precision * 1000,
       COALESCE((a.decision -> 'safety' ->> 'should_reject')::boolean
                AND a.decision -> 'safety' -> 'reasons' ?| %(nothing_found)s, false),
       ARRAY(SELECT ARRAY[key, value ->> 'model']
             FROM jsonb_each(a.measurement -> 'states')
             WHERE value ->> 'model' <> ''),
       COALESCE(a.engine_version, ''),
       (SELECT count(*) FROM analysis_claim AS k WHERE k.annotated_answer_id = c.id),
       (SELECT sum((value ->> 'ms')::double precision)
        FROM jsonb_each(a.measurement -> 'states')
        WHERE key IN ('judge', 'consistency')
          AND value ->> 'status' IN ('ok', 'truncated')),
       COALESCE(a.measurement #> '{states,judge,judges}', '[]'),
       (a.measurement ->> 'answer_length')::int, (a.measurement ->> 'source_count')::int,
       COALESCE(a.measurement #>> '{other_languages,0}', '')
FROM analysis_check AS c
LEFT JOIN analysis_annotatedanswer AS a ON a.check_record_id = c.id
LEFT JOIN analysis_policy AS p ON p.id = a.policy_id
WHERE c.id = ANY(%(ids)s)
