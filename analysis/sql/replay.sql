-- What a replay reads of each check: no answer, no passage, no final response.
-- Each document is unpacked once; subtracting its large members is cheaper than sending them.
SELECT a.check_record_id, a.policy_id, a.engine_version, c.answer ~ '^\s*$', c.sampled,
       review.decision, (a.measurement - '{evidence,documents,samples_drawn}'::text[])::text,
       decided.action, jsonb_path_query_first(decided.reasons, '$[*] ? (@.decided == true)')::text,
       decided.safety ->> 'rejection_reason', (decided.risk ->> 'risk_score')::int,
       claims.found::text, claims.signals::text, c.collections::text
FROM analysis_annotatedanswer AS a
JOIN analysis_check AS c ON c.id = a.check_record_id
CROSS JOIN LATERAL jsonb_to_record(a.decision)
    AS decided (action text, reasons jsonb, safety jsonb, risk jsonb)
LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object(
        'claim_id', claim_id, 'text', text, 'start', start, 'end', "end", 'subject', subject,
        'extraction_method', extraction_method
    ) ORDER BY id) AS found, json_agg(signal ORDER BY id) AS signals
    FROM analysis_claim WHERE annotated_answer_id = a.check_record_id
) AS claims ON true
LEFT JOIN LATERAL (
    SELECT decision FROM analysis_review
    WHERE check_record_id = a.check_record_id AND decision IN ('confirmed', 'overturned')
    ORDER BY id DESC LIMIT 1
) AS review ON true
WHERE a.check_record_id = ANY(%(ids)s)
ORDER BY a.check_record_id
