-- One check with its result and, where they are asked for, its claims, in one row.
SELECT c.id, c.state, c.created_at, c.finished_at, c.query, c.answer, c.collections, c.scope,
       c.source_model, c.metadata, c.messages, c.input_sha256, c.action, c.risk_score,
       c.risk_level, c.last_error, c.result_erased_at, a.engine_version, a.milliseconds,
       a.suggestions,
       CASE WHEN %(with_claims)s THEN a.measurement
            ELSE jsonb_build_object('states', a.measurement -> 'states',
                                    'injection', a.measurement -> 'injection') END AS measurement,
       CASE WHEN %(with_claims)s THEN a.decision
            ELSE a.decision - 'citations' || jsonb_build_object('passages',
                 jsonb_path_query_array(a.decision, '$.citations.passages[0 to 19]'))
       END AS decision,
       p.version AS policy_version,
       (SELECT jsonb_build_object('state', h.state, 'due_at', h.due_at, 'settled_at', h.settled_at,
                                  'corrected_text', r.corrected_text)
        FROM analysis_heldanswer AS h LEFT JOIN analysis_review AS r ON r.id = h.review_id
        WHERE h.check_record_id = c.id) AS held,
       (SELECT jsonb_build_object(
                   'helpful', count(*) FILTER (WHERE f.helpful),
                   'not_helpful', count(*) FILTER (WHERE NOT f.helpful))
        FROM analysis_feedback AS f WHERE f.check_record_id = c.id) AS feedback,
       (SELECT jsonb_agg(jsonb_build_object(
                   'claim_id', k.claim_id, 'text', k.text, 'start', k.start, 'end', k."end",
                   'subject', k.subject, 'extraction_method', k.extraction_method,
                   'status', k.status, 'reason', k.reason, 'signal', k.signal,
                   'decision', k.decision) ORDER BY k.id)
        FROM analysis_claim AS k
        WHERE k.annotated_answer_id = c.id AND %(with_claims)s) AS claims
FROM analysis_check AS c
LEFT JOIN analysis_annotatedanswer AS a ON a.check_record_id = c.id
LEFT JOIN analysis_policy AS p ON p.id = a.policy_id
WHERE c.id = %(id)s AND c.application_id = %(application_id)s
