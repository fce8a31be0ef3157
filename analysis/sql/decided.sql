-- What was decided, by bucket in UTC. All decisions are counted in an index alone; those that
-- another review follows are counted apart, since they are few: looking for a follower of each
-- decision took several times as long. So are those on seeded cases, which are no traffic.
WITH every AS (
    SELECT application_id, date_bin(%(step)s::interval, decided_at, '1970-01-01Z') AS at, reason,
           decision, count(*) AS n, 0::bigint AS followed, 0::bigint AS drawn
    FROM analysis_review
    WHERE application_id = ANY(%(applications)s::uuid[]) AND decision IS NOT NULL
      AND decided_at >= %(start)s AND decided_at < %(end)s
    GROUP BY 1, 2, 3, 4
),
followed AS (
    SELECT application_id, date_bin(%(step)s::interval, decided_at, '1970-01-01Z') AS at, reason,
           decision, 0::bigint AS n, count(*) AS followed, 0::bigint AS drawn
    FROM (SELECT DISTINCT r.id, r.application_id, r.decided_at, r.reason, r.decision
          FROM analysis_review AS further
          JOIN analysis_review AS r
            ON r.check_record_id = further.check_record_id AND r.id < further.id
          WHERE further.stage <> 'first'
            AND r.application_id = ANY(%(applications)s::uuid[]) AND r.decision IS NOT NULL
            AND r.decided_at >= %(start)s AND r.decided_at < %(end)s) AS found
    GROUP BY 1, 2, 3, 4
),
drawn AS (
    SELECT r.application_id, date_bin(%(step)s::interval, r.decided_at, '1970-01-01Z') AS at,
           r.reason, r.decision, 0::bigint AS n, 0::bigint AS followed, count(*) AS drawn
    FROM analysis_review AS r
    JOIN analysis_check AS c ON c.id = r.check_record_id
    WHERE r.application_id = ANY(%(applications)s::uuid[]) AND r.decision IS NOT NULL
      AND r.decided_at >= %(start)s AND r.decided_at < %(end)s
      AND r.reason = 'not_checked' AND c.sampled
      AND NOT EXISTS (SELECT FROM analysis_review AS further
                      WHERE further.check_record_id = r.check_record_id
                        AND further.id > r.id AND further.stage <> 'first')
    GROUP BY 1, 2, 3, 4
),
seeded AS (
    SELECT r.application_id, date_bin(%(step)s::interval, r.decided_at, '1970-01-01Z') AS at,
           r.reason, r.decision, -count(*) AS n, 0::bigint AS followed, 0::bigint AS drawn
    FROM analysis_case AS k
    JOIN analysis_review AS r ON r.check_record_id = k.check_record_id
    WHERE k.application_id = ANY(%(applications)s::uuid[]) AND k.use = 'seeded'
      AND r.decision IS NOT NULL
      AND r.decided_at >= %(start)s AND r.decided_at < %(end)s
    GROUP BY 1, 2, 3, 4
)
SELECT application_id, at, reason, decision, sum(n)::bigint, sum(followed)::bigint,
       sum(drawn)::bigint
FROM (SELECT * FROM every UNION ALL SELECT * FROM followed UNION ALL SELECT * FROM drawn
      UNION ALL SELECT * FROM seeded) AS parts
GROUP BY 1, 2, 3, 4
HAVING sum(n) > 0
