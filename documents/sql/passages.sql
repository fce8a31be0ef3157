-- The chunks that were found, with what a citation needs.
SELECT c.id, c.document_id, c.ordinal, c.total, c.page, c.last_page, c.start, c."end", c.head, c.text, c.injection,
       d.name, d.title, d.file_type, d.injection_rules, o.name AS collection, v.model
FROM documents_chunk AS c
JOIN documents_document AS d ON d.id = c.document_id
JOIN documents_collection AS o ON o.id = c.collection_id
JOIN documents_densevector AS v ON v.chunk_id = c.id
WHERE c.id = ANY(%(ids)s)
