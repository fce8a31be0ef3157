-- Copies of templates for benchmarks (tools.evaluation.bench.seeding).
-- Chance is the digest of the number, so that the same plan gives the same checks.
CREATE TEMP TABLE IF NOT EXISTS seed_new (
    n bigint, id uuid, check_id uuid, created_at timestamptz, application_id uuid,
    policy_id bigint, reviewer_id int, source_model text, collections jsonb, sampled boolean,
    wait_ms float, worker_ms float, chance bigint, chance_too bigint, late boolean,
    result_erased_at timestamptz
)
--;
TRUNCATE seed_new
--;
INSERT INTO seed_new
SELECT drawn.n,
       (lpad(to_hex((extract(epoch FROM drawn.created_at) * 1000)::bigint), 12, '0') || '7'
        || substr(drawn.h, 1, 3) || '8' || substr(drawn.h, 4, 15))::uuid,
       template.check_id, drawn.created_at, application.application_id,
       application.policy_ids[1 + drawn.preset], application.reviewer_id,
       (%(models)s::text[])[1 + drawn.r1 %% cardinality(%(models)s::text[])],
       (%(collections)s::text[])[1 + drawn.r2 %% cardinality(%(collections)s::text[])]::jsonb,
       drawn.r3 %% 10000 < 10000 * %(rate)s,
       20 * exp(drawn.r1 %% 1000 / 200.0), 8 * exp(drawn.r2 %% 1000 / 300.0),
       drawn.r3, drawn.r1, drawn.created_at > %(end)s::timestamptz - interval '3 days',
       CASE WHEN drawn.created_at < %(end)s::timestamptz - %(result_days)s * interval '1 day'
            THEN drawn.created_at + %(result_days)s * interval '1 day' END
FROM (
    SELECT n, h, %(begin)s::timestamptz + n * %(step)s::interval AS created_at,
           (n * 3 / %(checks)s)::int AS preset,
           ('x' || substr(h, 20, 7))::bit(28)::int AS r1,
           ('x' || substr(h, 26, 7))::bit(28)::int AS r2,
           ('x' || substr(h, 12, 7))::bit(28)::int AS r3,
           ('x' || substr(h, 2, 7))::bit(28)::int AS r4
    FROM (SELECT n, md5(n::text) AS h
          FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n) AS numbered
) AS drawn
JOIN seed_templates AS template
  ON template.preset = drawn.preset AND template.at = drawn.r4 %% %(templates)s
JOIN seed_applications AS application ON application.slot = drawn.r1 / 7 %% 100
--;
INSERT INTO analysis_check
    (id, application_id, submitted_by, query, answer, sources, collections, scope, source_model,
     metadata, samples, token_logprobs, input_sha256, created_at, state, epoch, attempts, due_at,
     last_error, action, risk_level, risk_score, sampled, sampling_probability, finished_at,
     result_erased_at)
SELECT new.id, new.application_id, 'seed', c.query || ' (case ' || new.n || ')', c.answer,
       c.sources, new.collections, c.scope, new.source_model, c.metadata, c.samples,
       c.token_logprobs, c.input_sha256, new.created_at, 'done', 1, 1, NULL, '', c.action,
       c.risk_level, c.risk_score, new.sampled, %(rate)s,
       new.created_at + new.wait_ms * interval '1 millisecond', new.result_erased_at
FROM seed_new AS new JOIN seed_check AS c ON c.id = new.check_id
--;
INSERT INTO analysis_annotatedanswer
    (check_record_id, policy_id, engine_version, measurement, decision, milliseconds, created_at)
SELECT new.id, new.policy_id, a.engine_version, a.measurement, a.decision, new.worker_ms,
       new.created_at + new.wait_ms * interval '1 millisecond'
FROM seed_new AS new JOIN seed_annotatedanswer AS a ON a.check_record_id = new.check_id
WHERE new.result_erased_at IS NULL
--;
INSERT INTO analysis_claim
    (annotated_answer_id, claim_id, text, start, "end", subject, extraction_method, status, reason,
     signal, decision)
SELECT new.id, k.claim_id, k.text, k.start, k."end", k.subject, k.extraction_method, k.status,
       k.reason, k.signal, k.decision
FROM seed_new AS new JOIN seed_claim AS k ON k.annotated_answer_id = new.check_id
WHERE new.result_erased_at IS NULL
ORDER BY new.n, k.id
--;
INSERT INTO analysis_checkembedding (check_record_id, model, query, answer, truncated, reason)
SELECT new.id, e.model, e.query, e.answer, e.truncated, e.reason
FROM seed_new AS new JOIN seed_checkembedding AS e ON e.check_record_id = new.check_id
WHERE new.result_erased_at IS NULL
--;
-- As their templates were counted, but for what is told apart by, and the times.
INSERT INTO analysis_countedcheck
    (check_record_id, application_id, created_at, source_model, policy, collections, places,
     nothing_found)
SELECT new.id, new.application_id, new.created_at, new.source_model, t.policy,
       ARRAY(SELECT jsonb_array_elements_text(new.collections)),
       ARRAY(SELECT place FROM unnest(t.places) AS place
             WHERE place < %(worker_place)s OR place >= %(model_place)s)
       || (%(worker_place)s + width_bucket(new.worker_ms, %(bounds)s::float[]))::smallint
       || (%(total_place)s + width_bucket(
              extract(epoch FROM new.wait_ms * interval '1 millisecond')::float * 1000,
              %(bounds)s::float[]))::smallint
       || (%(waiting_place)s + width_bucket(
              extract(epoch FROM new.wait_ms * interval '1 millisecond')::float * 1000
                  - new.worker_ms,
              %(bounds)s::float[]))::smallint,
       t.nothing_found
FROM seed_new AS new JOIN seed_countedcheck AS t ON t.check_record_id = new.check_id
--;
-- All but those of the last three days are decided: four of five confirmed.
INSERT INTO analysis_review
    (check_record_id, application_id, reason, created_at, risk, rank_at, due_at, decision,
     decided_by_id, decided_at, note)
SELECT new.id, new.application_id,
       CASE c.action WHEN 'BLOCK' THEN 'block' WHEN 'WARN' THEN 'warn' ELSE 'quality_sample' END,
       new.created_at, c.risk_score, new.created_at - c.risk_score * interval '6 minutes',
       new.created_at + interval '1 day',
       CASE WHEN NOT new.late THEN CASE WHEN new.chance_too %% 100 < 80 THEN 'confirmed'
                                        WHEN new.chance_too %% 100 < 95 THEN 'overturned'
                                        ELSE 'escalated' END END,
       CASE WHEN NOT new.late THEN new.reviewer_id END,
       CASE WHEN NOT new.late THEN new.created_at + interval '5 hours' END, ''
FROM seed_new AS new JOIN seed_check AS c ON c.id = new.check_id
WHERE (new.result_erased_at IS NULL OR NOT new.late) AND (c.action <> 'ALLOW' OR new.sampled)
--;
INSERT INTO audit_trailentry
    (application_id, event, subject_type, subject_id, actor, data, occurred_at)
SELECT new.application_id, 'check.decided', 'check', new.id::text, 'watchdog',
       jsonb_build_object('policy_id', new.policy_id), new.created_at
FROM seed_new AS new
ORDER BY new.n
--;
-- What retention writes: after the others, since it came later.
INSERT INTO audit_trailentry
    (application_id, event, subject_type, subject_id, actor, data, occurred_at)
SELECT new.application_id, 'check.erased', 'check', new.id::text, 'retention',
       '{"parts": ["result"], "reason": "retention"}', new.result_erased_at
FROM seed_new AS new
WHERE new.result_erased_at IS NOT NULL
ORDER BY new.n
--;
INSERT INTO analysis_claimday AS kept (application_id, day, claims)
SELECT new.application_id, (new.created_at AT TIME ZONE 'UTC')::date, count(*)
FROM seed_new AS new JOIN seed_claim AS k ON k.annotated_answer_id = new.check_id
GROUP BY 1, 2
ON CONFLICT (application_id, day) DO UPDATE SET claims = kept.claims + excluded.claims
