-- The chunks that were found, with what a citation needs.
SELECT c.id, c.document_id, c.ordinal, c.total, c.page, c.start, c."end", c.text, c.injection,
       d.name, d.title, v.model
FROM documents_chunk AS c
JOIN documents_document AS d ON d.id = c.document_id
JOIN documents_densevector AS v ON v.chunk_id = c.id
WHERE c.id = ANY(%(ids)s)
