-- Adds vectors to the cells they belong to, in the order of the key.
INSERT INTO analysis_trendcell AS held (application_id, dimension, grain, bucket, value, counts)
SELECT application_id, dimension, grain, bucket, value, counts::integer[]
FROM unnest(%(applications)s::uuid[], %(dimensions)s::text[], %(grains)s::text[],
            %(buckets)s::timestamptz[], %(series)s::text[], %(counts)s::text[])
     AS new (application_id, dimension, grain, bucket, value, counts)
ORDER BY application_id, dimension, grain, bucket, value
ON CONFLICT (application_id, dimension, grain, bucket, value) DO UPDATE
SET counts = ARRAY(
    SELECT a + b
    FROM unnest(held.counts, excluded.counts) WITH ORDINALITY AS pair (a, b, n)
    ORDER BY n
)
