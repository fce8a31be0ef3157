-- Candidates by their lexemes, scored by the inner product of their weights with the query's IDFs.
SELECT chunk_id, -(weights <#> %(weights)s::sparsevec) AS score
FROM documents_lexicalvector
WHERE lexemes @@ %(gathering)s::tsquery
ORDER BY weights <#> %(weights)s::sparsevec, chunk_id
LIMIT %(depth)s
