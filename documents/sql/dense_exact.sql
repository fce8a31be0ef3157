-- Every chunk of the collections is compared: exact, and quick up to some twenty thousand chunks.
-- OFFSET 0 keeps the planner from the HNSW index, and the rows stream by: none is stored.
SELECT chunk_id, 1 - distance AS score
FROM (
    SELECT chunk_id, embedding <=> %(embedding)s::halfvec AS distance
    FROM documents_densevector
    WHERE collection_id = ANY(%(collections)s)
      AND (%(documents)s::uuid[] IS NULL OR chunk_id IN (
          SELECT id FROM documents_chunk WHERE document_id = ANY(%(documents)s::uuid[])
      ))
    OFFSET 0
) AS compared
ORDER BY distance, chunk_id
LIMIT %(depth)s
