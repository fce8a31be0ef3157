-- What is counted next; gone when the transaction that counts it commits.
DELETE FROM analysis_trendpending
WHERE id IN (SELECT id FROM analysis_trendpending ORDER BY id LIMIT %(limit)s
             FOR UPDATE SKIP LOCKED)
RETURNING check_id, failed, delta
