-- A worker takes a check that waits, or whose lease has run out. No row: there is nothing to take.
UPDATE analysis_check AS c
SET state = 'running',
    epoch = c.epoch + 1,
    attempts = c.attempts + 1,
    ring_at = NULL,
    lease_until = now() + make_interval(secs => %(lease)s)
FROM accounts_application AS a
WHERE c.id = (
        SELECT id FROM analysis_check
        WHERE id = %(id)s
          AND (state = 'queued' OR (state = 'running' AND lease_until < now()))
          AND attempts < %(max_attempts)s
        FOR UPDATE SKIP LOCKED
    )
  AND a.id = c.application_id
RETURNING c.*,
    a.quality_sample_rate,
    a.desk_time_zone, a.desk_days, a.desk_opens_at, a.desk_closes_at,
    a.due_hours_block, a.due_hours_dead, a.due_hours_warn, a.due_hours_sample,
    ARRAY(SELECT h.day FROM accounts_holiday AS h
          WHERE h.application_id = c.application_id) AS desk_holidays,
    (SELECT p.id FROM analysis_policy AS p
     WHERE p.application_id = c.application_id AND p.is_active) AS active_policy_id,
    (SELECT jsonb_build_object('id', t.id, 'policy_id', t.policy_id, 'mode', t.mode,
                               'share', t.share)::text
     FROM analysis_trial AS t
     WHERE t.application_id = c.application_id AND t.ended_at IS NULL) AS open_trial
