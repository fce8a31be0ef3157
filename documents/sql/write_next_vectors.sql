-- Embeddings by the model to come; those of a chunk that was deleted meanwhile are dropped.
INSERT INTO documents_nextvector (chunk_id, collection_id, model, embedding)
SELECT c.id, c.collection_id, %(model)s, made.embedding::halfvec
FROM unnest(%(ids)s::bigint[], %(embeddings)s::text[]) AS made (id, embedding)
JOIN documents_chunk AS c ON c.id = made.id
ON CONFLICT (chunk_id) DO UPDATE SET model = excluded.model, embedding = excluded.embedding
