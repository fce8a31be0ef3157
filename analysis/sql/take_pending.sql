-- What is counted next; gone when the transaction that counts it commits.
-- Read once: a subquery of DELETE may be run again for each row, and then takes more than the limit.
WITH taken AS MATERIALIZED (
    SELECT id FROM analysis_trendpending ORDER BY id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
DELETE FROM analysis_trendpending AS pending USING taken
WHERE pending.id = taken.id
RETURNING check_id, failed, delta
