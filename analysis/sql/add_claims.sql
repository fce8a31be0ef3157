-- Adds claims to their days, in the order of the key.
INSERT INTO analysis_claimday AS held (application_id, day, claims)
SELECT application_id, day, claims
FROM unnest(%(applications)s::uuid[], %(days)s::date[], %(claims)s::integer[])
     AS new (application_id, day, claims)
ORDER BY application_id, day
ON CONFLICT (application_id, day) DO UPDATE SET claims = held.claims + excluded.claims
