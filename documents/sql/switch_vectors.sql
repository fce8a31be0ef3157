-- The embeddings by the new model take the place of the old ones.
UPDATE documents_densevector AS d
SET model = n.model, embedding = n.embedding
FROM documents_nextvector AS n
WHERE n.chunk_id = d.chunk_id AND d.collection_id = %(collection)s AND n.model = %(model)s
