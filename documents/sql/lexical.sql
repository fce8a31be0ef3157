-- Candidates by their lexemes, scored by the inner product of their weights with the query's IDFs.
-- The inner LIMIT bounds a question of which even the rarest word is common.
SELECT chunk_id, -(weights <#> %(weights)s::sparsevec) AS score
FROM (
    SELECT chunk_id, weights
    FROM documents_lexicalvector
    WHERE lexemes @@ %(gathering)s::tsquery
      AND (%(collections)s::uuid[] IS NULL OR collection_id = ANY(%(collections)s::uuid[]))
      AND (%(documents)s::uuid[] IS NULL OR chunk_id IN (
          SELECT id FROM documents_chunk WHERE document_id = ANY(%(documents)s::uuid[])
      ))
    LIMIT %(most)s
) AS gathered
ORDER BY weights <#> %(weights)s::sparsevec, chunk_id
LIMIT %(depth)s
