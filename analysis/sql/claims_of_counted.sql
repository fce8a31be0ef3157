-- The claims of every check that the trends have counted, by day: where none are counted yet.
INSERT INTO analysis_claimday (application_id, day, claims)
SELECT application_id, (created_at AT TIME ZONE 'UTC')::date, count(*)
FROM analysis_countedcheck
JOIN analysis_claim ON annotated_answer_id = check_record_id
GROUP BY 1, 2
