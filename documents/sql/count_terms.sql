-- In how many chunks of one collection each term stands, counted anew.
INSERT INTO documents_termstatistic (collection_id, term, chunk_count)
SELECT %(collection_id)s, word, ndoc
FROM ts_stat(format(
    'SELECT lexemes FROM documents_lexicalvector WHERE lexemes @@ %%L::tsquery', %(lexeme)s))
WHERE word <> %(word)s
