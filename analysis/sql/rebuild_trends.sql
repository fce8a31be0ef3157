-- Forgets all counts and asks for every check that has ended to be counted. One statement, so one
-- snapshot: a check that ends meanwhile keeps its own entry.
WITH cells AS (DELETE FROM analysis_trendcell),
     counted AS (DELETE FROM analysis_countedcheck),
     models AS (DELETE FROM analysis_modeluse),
     claims AS (DELETE FROM analysis_claimday),
     judges AS (DELETE FROM analysis_judgeday),
     waiting AS (DELETE FROM analysis_trendpending)
INSERT INTO analysis_trendpending (check_id, failed)
SELECT id, state = 'failed'
FROM analysis_check
WHERE state IN ('done', 'failed') AND NOT is_probe
ORDER BY id
