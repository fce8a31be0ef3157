-- The chunks that were found, with what a citation needs; the columns are named as the members of
-- `EvidenceChunk`.
SELECT c.id, c.document_id::text AS doc_id, c.ordinal AS sent_id, c.total, c.page, c.last_page,
       c.start AS char_start, c."end" AS char_end, c.head, c.text, c.injection, d.injection_rules,
       d.name AS source, d.title, d.file_type, o.name AS collection, v.model AS version
FROM documents_chunk AS c
JOIN documents_document AS d ON d.id = c.document_id
JOIN documents_collection AS o ON o.id = c.collection_id
JOIN documents_densevector AS v ON v.chunk_id = c.id
WHERE c.id = ANY(%(ids)s)
