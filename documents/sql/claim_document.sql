-- A worker takes a document that waits, or whose lease has run out.
UPDATE documents_document
SET state = 'running', epoch = epoch + 1, attempts = attempts + 1, ring_at = NULL,
    lease_until = now() + make_interval(secs => %(lease)s)
WHERE id = (
    SELECT id FROM documents_document
    WHERE id = %(id)s
      AND (state = 'queued' OR (state = 'running' AND lease_until < now()))
    FOR UPDATE SKIP LOCKED
)
RETURNING *
