-- Claims of a check, each with the passages it names.
SELECT k.claim_id, k.text, k.start, k."end", k.status, k.reason, k.signal, k.decision,
       (SELECT jsonb_agg(e)
        FROM jsonb_array_elements(a.measurement -> 'evidence') AS e
        WHERE (e ->> 'doc_id') || '#' || (e ->> 'sent_id') IN
              (k.signal ->> 'supported_by', k.signal ->> 'contradicted_by',
               k.decision ->> 'primary_evidence')) AS evidence
FROM analysis_claim AS k
JOIN analysis_annotatedanswer AS a ON a.check_record_id = k.annotated_answer_id
WHERE k.annotated_answer_id = %(id)s AND k.claim_id = ANY(%(claim_ids)s)
