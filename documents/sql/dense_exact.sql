-- Every chunk of the collections is compared: exact, and quick up to some twenty thousand chunks.
WITH scope AS MATERIALIZED (
    SELECT chunk_id, embedding FROM documents_densevector
    WHERE collection_id = ANY(%(collections)s)
)
SELECT chunk_id, 1 - (embedding <=> %(embedding)s::halfvec) AS score
FROM scope
ORDER BY embedding <=> %(embedding)s::halfvec, chunk_id
LIMIT %(depth)s
