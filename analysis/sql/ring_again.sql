-- The sweeper takes what is overdue: queued and not yet fetched, or running past its lease.
UPDATE analysis_check
SET state = 'queued', lease_until = NULL, ring_at = now()
WHERE id IN (
    SELECT id FROM analysis_check
    WHERE (state = 'queued' AND ring_at < now() - make_interval(secs => %(again)s))
       OR (state = 'running' AND lease_until < now())
    ORDER BY id
    LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
)
RETURNING id, attempts, batch_id
