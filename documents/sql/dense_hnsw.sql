-- Along the HNSW graph, going on until enough chunks of the collections are found. The scan's
-- order is relaxed, so the result is sorted again.
WITH found AS MATERIALIZED (
    SELECT chunk_id, embedding <=> %(embedding)s::halfvec AS distance
    FROM documents_densevector
    WHERE collection_id = ANY(%(collections)s)
    ORDER BY embedding <=> %(embedding)s::halfvec
    LIMIT %(depth)s
)
SELECT chunk_id, 1 - distance AS score FROM found ORDER BY distance, chunk_id
