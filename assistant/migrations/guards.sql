-- Questions and bundles of evidence are never edited; like checks they can be erased, with an entry in
-- the audit trail.

CREATE FUNCTION watchdog_may_erase_turn(turn uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN current_setting('watchdog.erasure', true) IS NOT DISTINCT FROM 'on'
        AND EXISTS (SELECT 1 FROM assistant_turn AS t
                    JOIN audit_trailentry AS e ON e.subject_type = 'conversation'
                        AND e.subject_id = t.conversation_id::text
                    WHERE t.id = turn AND e.event = 'conversation.erased'
                      AND e.data -> 'turns' ? turn::text)
        AND NOT EXISTS (SELECT 1 FROM analysis_legalhold AS h
                        JOIN assistant_turn AS t ON t.application_id = h.application_id
                        WHERE t.id = turn AND h.lifted_at IS NULL
                          AND (h.check_record_id IS NULL
                               OR h.check_record_id = t.check_record_id));
END $$;

CREATE FUNCTION watchdog_guard_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND watchdog_may_erase_turn(OLD.id) THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;

CREATE FUNCTION watchdog_guard_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND watchdog_may_erase_turn(OLD.turn_id) THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;

CREATE TRIGGER turn_evidence_immutable BEFORE UPDATE OR DELETE ON assistant_turnevidence
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_evidence();

CREATE TRIGGER turn_input_immutable BEFORE UPDATE OF id, conversation_id, application_id, question,
    collections, asked_by, created_at OR DELETE ON assistant_turn
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_turn();

-- A legal hold on an application keeps its documents and memories, whoever would delete them. Stands
-- here because documents and memory know nothing of holds, and this app is above all three.
CREATE FUNCTION watchdog_guard_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    owner uuid;
BEGIN
    IF TG_TABLE_NAME = 'documents_document' THEN
        SELECT application_id INTO owner FROM documents_collection WHERE id = OLD.collection_id;
    ELSE
        owner := OLD.application_id;
    END IF;
    IF EXISTS (SELECT 1 FROM analysis_legalhold WHERE application_id = owner
               AND check_record_id IS NULL AND lifted_at IS NULL) THEN
        RAISE EXCEPTION 'on legal hold: % keeps its rows', TG_TABLE_NAME USING ERRCODE = '23001';
    END IF;
    RETURN OLD;
END $$;

CREATE TRIGGER document_on_hold BEFORE DELETE ON documents_document
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_hold();
CREATE TRIGGER memory_on_hold BEFORE DELETE ON memory_memoryentry
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_hold();
