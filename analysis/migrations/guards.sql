-- Inputs, results, decisions and policy versions are never edited: triggers refuse it.
--
-- A trigger with a list of columns fires only when one of them is named in an UPDATE, so the moves of
-- the queue pay nothing for it.
--
-- Evidence may be erased in one way only. A session says `SET LOCAL watchdog.erasure = 'on'`; the
-- triggers then still ask for an entry of the trail that records this erasure of this check, and for no
-- legal hold. Nothing can be rewritten: texts become empty, results are deleted, all else stays.

-- By the entries of this check, never by all that tell of an erasure: until its statistics are anew
-- the planner takes these to be few, and a night's erasures then cost their square.
CREATE FUNCTION watchdog_may_erase(check_id uuid, part text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    RETURN current_setting('watchdog.erasure', true) IS NOT DISTINCT FROM 'on'
        AND EXISTS (SELECT 1 FROM audit_trailentry
                    WHERE subject_type = 'check' AND subject_id = check_id::text
                      AND event || '' = 'check.erased' AND data -> 'parts' ? part)
        AND NOT EXISTS (SELECT 1 FROM analysis_legalhold AS h
                        JOIN analysis_check AS c ON c.application_id = h.application_id
                        WHERE c.id = check_id AND h.lifted_at IS NULL
                          AND (h.check_record_id IS NULL OR h.check_record_id = c.id));
END $$;

CREATE FUNCTION watchdog_refuse(operation text, table_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: it is evidence and stays as it was written',
        operation, table_name USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION watchdog_guard_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND current_setting('watchdog.erasure', true) IS NOT DISTINCT FROM 'on'
        AND (NEW.id, NEW.application_id, NEW.batch_id, NEW.batch_index, NEW.submitted_by,
             NEW.collections, NEW.source_model, NEW.input_sha256, NEW.created_at)
            IS NOT DISTINCT FROM
            (OLD.id, OLD.application_id, OLD.batch_id, OLD.batch_index, OLD.submitted_by,
             OLD.collections, OLD.source_model, OLD.input_sha256, OLD.created_at)
        AND ((NEW.query, NEW.answer, NEW.sources, NEW.scope, NEW.metadata, NEW.samples,
              NEW.token_logprobs)
             IS NOT DISTINCT FROM
             (OLD.query, OLD.answer, OLD.sources, OLD.scope, OLD.metadata, OLD.samples,
              OLD.token_logprobs)
             OR (NEW.query, NEW.answer, NEW.sources, NEW.scope, NEW.metadata, NEW.samples,
                 NEW.token_logprobs)
                IS NOT DISTINCT FROM
                (''::text, ''::text, NULL::jsonb, '{}'::jsonb, '{}'::jsonb, '[]'::jsonb,
                 NULL::jsonb)
                AND NEW.input_erased_at IS NOT NULL AND watchdog_may_erase(OLD.id, 'input'))
        AND (NEW.input_erased_at IS NOT DISTINCT FROM OLD.input_erased_at
             OR OLD.input_erased_at IS NULL AND watchdog_may_erase(OLD.id, 'input'))
        AND (NEW.result_erased_at IS NOT DISTINCT FROM OLD.result_erased_at
             OR OLD.result_erased_at IS NULL AND watchdog_may_erase(OLD.id, 'result'))
        AND (NEW.reviews_erased_at IS NOT DISTINCT FROM OLD.reviews_erased_at
             OR OLD.reviews_erased_at IS NULL AND watchdog_may_erase(OLD.id, 'reviews'))
    THEN
        RETURN NEW;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;
CREATE TRIGGER check_input_immutable
BEFORE UPDATE OF id, application_id, batch_id, batch_index, submitted_by, query, answer, sources,
    collections, scope, source_model, metadata, samples, token_logprobs, input_sha256, created_at,
    input_erased_at, result_erased_at, reviews_erased_at
OR DELETE ON analysis_check FOR EACH ROW EXECUTE FUNCTION watchdog_guard_check();

CREATE FUNCTION watchdog_guard_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.messages IS NOT DISTINCT FROM OLD.messages
        OR NEW.messages IS NULL AND NEW.input_erased_at IS NOT NULL
           AND watchdog_may_erase(OLD.id, 'input')
    THEN
        RETURN NEW;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;
CREATE TRIGGER check_messages_immutable BEFORE UPDATE OF messages ON analysis_check
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_messages();

CREATE FUNCTION watchdog_guard_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND watchdog_may_erase(OLD.check_record_id, 'result') THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;
CREATE TRIGGER annotated_answer_immutable BEFORE UPDATE OR DELETE ON analysis_annotatedanswer
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_result();

CREATE FUNCTION watchdog_guard_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND watchdog_may_erase(OLD.annotated_answer_id, 'result') THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;
CREATE TRIGGER claim_immutable BEFORE UPDATE OR DELETE ON analysis_claim
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_claim();

-- Within the minute the only change is back to open; after it there is none.
CREATE FUNCTION watchdog_guard_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.note = '' AND NEW.corrected_text = ''
        AND (NEW.check_record_id, NEW.application_id, NEW.reason, NEW.stage, NEW.decision,
             NEW.decided_by_id, NEW.decided_at, NEW.reason_codes)
            IS NOT DISTINCT FROM
            (OLD.check_record_id, OLD.application_id, OLD.reason, OLD.stage, OLD.decision,
             OLD.decided_by_id, OLD.decided_at, OLD.reason_codes)
        AND watchdog_may_erase(OLD.check_record_id, 'reviews')
    THEN
        RETURN NEW;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;
CREATE TRIGGER review_decision_fixed
BEFORE UPDATE OF check_record_id, application_id, reason, stage, decision, decided_by_id,
    decided_at, note, reason_codes, corrected_text
ON analysis_review FOR EACH ROW
WHEN (OLD.decision IS NOT NULL
      AND (NEW.decision IS NOT NULL OR OLD.decided_at < now() - interval '1 minute'))
EXECUTE FUNCTION watchdog_guard_decision();

CREATE TRIGGER review_decided_stays BEFORE DELETE ON analysis_review FOR EACH ROW
WHEN (OLD.decision IS NOT NULL) EXECUTE FUNCTION watchdog_refuse_change();

CREATE FUNCTION watchdog_refuse_decided_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    decided_check uuid;
BEGIN
    SELECT check_record_id INTO decided_check FROM analysis_review
    WHERE id = OLD.review_id AND decision IS NOT NULL;
    IF decided_check IS NOT NULL
        AND NOT (TG_OP = 'DELETE' AND watchdog_may_erase(decided_check, 'result'))
    THEN
        PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER claim_verdict_fixed BEFORE UPDATE OR DELETE ON analysis_claimverdict
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_decided_verdict();

CREATE TRIGGER policy_immutable
BEFORE UPDATE OF id, application_id, version, rules, note, created_by, created_at OR DELETE
ON analysis_policy FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();

CREATE TRIGGER trial_immutable
BEFORE UPDATE OF id, application_id, control_id, policy_id, mode, share, started_by, started_at
OR DELETE ON analysis_trial FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();

CREATE TRIGGER trial_ends_once BEFORE UPDATE ON analysis_trial FOR EACH ROW
WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION watchdog_refuse_change();

CREATE TRIGGER trial_check_immutable BEFORE UPDATE OR DELETE ON analysis_trialcheck
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();
