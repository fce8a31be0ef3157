-- Accepts one answer: the check, its entry in the trail and, when the client named one, its
-- idempotency key. A key that exists fails the whole statement. The trail tells of a run of probes,
-- not of each.
WITH made AS (
    INSERT INTO analysis_check
        (id, application_id, submitted_by, is_probe, query, answer, sources, collections, scope,
         source_model, metadata, samples, token_logprobs, messages, input_sha256,
         state, epoch, attempts, last_error)
    VALUES
        (%(id)s, %(application_id)s, %(by)s, %(is_probe)s, %(query)s, %(answer)s, %(sources)s, %(collections)s,
         %(scope)s, %(source_model)s, %(metadata)s, %(samples)s, %(token_logprobs)s,
         %(messages)s, %(input_sha256)s, 'queued', 0, 0, '')
    RETURNING id, application_id, is_probe
),
remembered AS (
    INSERT INTO analysis_idempotencykey (application_id, key, request_sha256, check_made_id)
    SELECT application_id, %(key)s, %(request_sha256)s, id
    FROM made
    WHERE %(key)s IS NOT NULL
)
INSERT INTO audit_trailentry (application_id, event, subject_type, subject_id, actor, data)
SELECT application_id, 'check.submitted', 'check', id::text, %(by)s,
       jsonb_build_object('input_sha256', %(input_sha256)s::text)
FROM made
WHERE NOT is_probe
