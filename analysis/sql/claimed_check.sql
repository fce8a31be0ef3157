-- What a worker needs of a check that it has just claimed, and of its application.
SELECT c.*,
    a.quality_sample_rate,
    a.desk_time_zone, a.desk_days, a.desk_opens_at, a.desk_closes_at,
    a.due_hours_block, a.due_hours_failed, a.due_hours_warn, a.due_hours_sample,
    ARRAY(SELECT h.day FROM accounts_holiday AS h
          WHERE h.application_id = c.application_id) AS desk_holidays,
    (SELECT p.id FROM analysis_policy AS p
     WHERE p.application_id = c.application_id AND p.is_active) AS active_policy_id,
    (SELECT jsonb_build_object('id', t.id, 'policy_id', t.policy_id, 'mode', t.mode,
                               'share', t.share, 'judge', t.judge)::text
     FROM analysis_trial AS t
     WHERE t.application_id = c.application_id AND t.ended_at IS NULL) AS open_trial,
    c.is_probe AND EXISTS (SELECT FROM analysis_case AS k
                           WHERE k.check_record_id = c.id AND k.use = 'seeded') AS is_seeded
FROM claimed AS c
JOIN accounts_application AS a ON a.id = c.application_id
