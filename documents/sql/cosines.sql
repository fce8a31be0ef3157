-- The cosines of some chunks: of those that the dense ranking did not reach.
SELECT chunk_id, 1 - (embedding <=> %(embedding)s::halfvec) AS score
FROM documents_densevector
WHERE chunk_id = ANY(%(ids)s) AND collection_id = ANY(%(collections)s)
