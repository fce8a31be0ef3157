-- Everything that a finished check leaves behind, in one statement and so in one transaction.
-- The epoch guards it: whoever lost the lease changes no row, and every later part finds nothing.
WITH finished AS (
    UPDATE analysis_check
    SET state = 'done',
        lease_until = NULL,
        action = %(action)s,
        risk_level = %(risk_level)s,
        risk_score = %(risk_score)s,
        sampled = %(sampled)s,
        sampling_probability = %(sampling_probability)s,
        finished_at = now()
    WHERE id = %(id)s AND epoch = %(epoch)s AND state = 'running'
    RETURNING id, application_id, batch_id, metadata, is_probe
),
answer AS (
    INSERT INTO analysis_annotatedanswer
        (check_record_id, policy_id, engine_version, measurement, decision, suggestions,
         milliseconds)
    SELECT id, %(policy_id)s, %(engine_version)s, %(measurement)s, %(decision)s, %(suggestions)s,
           %(milliseconds)s
    FROM finished
),
claims AS (
    INSERT INTO analysis_claim
        (annotated_answer_id, claim_id, text, start, "end", subject, extraction_method,
         status, reason, signal, decision)
    SELECT finished.id, claim.*
    FROM finished, jsonb_to_recordset(%(claims)s) AS claim (
        claim_id text, text text, start integer, "end" integer, subject text,
        extraction_method text, status text, reason text, signal jsonb, decision jsonb
    )
),
-- A probe leaves nothing behind but its result, and a seeded case its review.
traffic AS (SELECT * FROM finished WHERE NOT is_probe),
embedding AS (
    INSERT INTO analysis_checkembedding (check_record_id, model, query, answer, truncated, reason)
    SELECT id, %(embedding_model)s, %(query_vector)s, %(answer_vector)s, %(embedding_truncated)s,
           %(embedding_reason)s
    FROM traffic
),
review AS (
    INSERT INTO analysis_review
        (check_record_id, application_id, reason, note, risk, rank_at, due_at)
    SELECT id, application_id, %(review_reason)s, '', %(risk_score)s,
           statement_timestamp() - make_interval(mins => %(rank_minutes)s), %(review_due_at)s
    FROM finished
    WHERE %(review_reason)s IS NOT NULL AND (NOT is_probe OR %(is_seeded)s)
),
held AS (
    INSERT INTO analysis_heldanswer (check_record_id, state, due_at)
    SELECT id, 'awaiting', %(review_due_at)s
    FROM traffic
    WHERE %(held)s
),
tried AS (
    INSERT INTO analysis_trialcheck (check_record_id, trial_id, arm, outcome)
    SELECT id, %(trial_id)s, %(trial_arm)s, %(trial_outcome)s
    FROM traffic
    WHERE %(trial_id)s IS NOT NULL
),
-- In several slots, as `accounts.quotas` does.
counted AS (
    INSERT INTO accounts_quotause AS used (application_id, day, slot, checks, claims)
    SELECT a.id, (now() AT TIME ZONE 'UTC')::date, floor(random() * 16)::integer, 0,
           %(claim_count)s
    FROM traffic JOIN accounts_application AS a ON a.id = traffic.application_id
    WHERE a.claims_per_month IS NOT NULL
    ON CONFLICT (application_id, day, slot) DO UPDATE SET claims = used.claims + excluded.claims
),
pending AS (
    INSERT INTO analysis_trendpending (check_id, failed)
    SELECT id, false
    FROM traffic
),
trail AS (
    INSERT INTO audit_trailentry
        (application_id, event, subject_type, subject_id, actor, data)
    SELECT application_id, 'check.decided', 'check', id::text, 'watchdog', %(trail)s
    FROM traffic
),
-- As `notifications.services.notify` does; an id is a UUIDv7, which PostgreSQL cannot make yet.
told AS (
    INSERT INTO notifications_notification (id, subscription_id, kind, key, state, data)
    SELECT encode(set_bit(set_bit(overlay(
               uuid_send(gen_random_uuid())
               PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                                 FROM 3)
               FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
           s.id, 'check.done', 'check.done:' || traffic.id, 'queued',
           jsonb_build_object(
               'check_id', traffic.id, 'batch_id', traffic.batch_id, 'metadata', traffic.metadata,
               'action', %(action)s::text, 'risk_level', %(risk_level)s::text,
               'risk_score', %(risk_score)s::integer)
           || CASE WHEN %(held)s THEN jsonb_build_object('hold', jsonb_build_object(
                  'state', 'awaiting', 'due_at', %(review_due_at)s::timestamptz))
              ELSE '{}' END
    FROM traffic
    JOIN notifications_subscription AS s ON s.application_id = traffic.application_id
    WHERE s.is_active AND s.kinds @> ARRAY['check.done']::varchar[]
    RETURNING 1
)
SELECT id, EXISTS (SELECT FROM told) FROM finished
