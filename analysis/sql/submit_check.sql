-- Accepts one answer or a batch of them: the checks, their entries in the trail and, when the
-- client named one, the idempotency key. A key that exists fails the whole statement. The trail
-- tells of a run of probes, not of each.
WITH batch AS (
    INSERT INTO analysis_batch (id, application_id, items_total, errors, is_probe)
    SELECT %(batch_id)s::uuid, %(application_id)s, %(items_total)s, %(errors)s, %(is_probe)s
    WHERE %(batch_id)s IS NOT NULL
),
made AS (
    INSERT INTO analysis_check
        (id, application_id, batch_id, batch_index, submitted_by, is_probe, query, answer, sources,
         collections, scope, source_model, metadata, samples, token_logprobs, messages,
         input_sha256, state, epoch, attempts, last_error)
    SELECT id, %(application_id)s, %(batch_id)s::uuid, batch_index, %(by)s, %(is_probe)s, query,
           answer, sources, collections, scope, source_model, metadata, samples, token_logprobs,
           messages, input_sha256, 'queued', 0, 0, ''
    FROM jsonb_to_recordset(%(checks)s) AS input (
        id uuid, batch_index integer, query text, answer text, sources jsonb, collections jsonb,
        scope jsonb, source_model text, metadata jsonb, samples jsonb, token_logprobs jsonb,
        messages jsonb, input_sha256 text
    )
    RETURNING id, application_id, input_sha256, is_probe
),
remembered AS (
    INSERT INTO analysis_idempotencykey
        (application_id, key, request_sha256, check_made_id, batch_made_id)
    SELECT %(application_id)s, %(key)s, %(request_sha256)s,
           CASE WHEN %(batch_id)s IS NULL THEN (SELECT id FROM made) END, %(batch_id)s::uuid
    WHERE %(key)s IS NOT NULL
)
INSERT INTO audit_trailentry (application_id, event, subject_type, subject_id, actor, data)
SELECT application_id, 'check.submitted', 'check', id::text, %(by)s,
       jsonb_build_object('input_sha256', input_sha256)
FROM made
WHERE NOT is_probe
