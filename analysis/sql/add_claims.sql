-- Adds claims and times to their days, in the order of the key.
INSERT INTO analysis_claimday AS held
    (application_id, day, claims, worker_time, total_time, waiting_time, model_time)
SELECT application_id, day, claims, worker_time, total_time, waiting_time, model_time
FROM unnest(%(applications)s::uuid[], %(days)s::date[], %(claims)s::integer[],
            %(worker_time)s::bigint[], %(total_time)s::bigint[], %(waiting_time)s::bigint[],
            %(model_time)s::bigint[])
     AS new (application_id, day, claims, worker_time, total_time, waiting_time, model_time)
ORDER BY application_id, day
ON CONFLICT (application_id, day) DO UPDATE
SET claims = held.claims + excluded.claims,
    worker_time = held.worker_time + excluded.worker_time,
    total_time = held.total_time + excluded.total_time,
    waiting_time = held.waiting_time + excluded.waiting_time,
    model_time = held.model_time + excluded.model_time
