"""Turns and their evidence can be erased, as checks can: with an entry in the audit trail."""

from django.db import migrations

GUARD = """
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

CREATE FUNCTION watchdog_guard_bag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND watchdog_may_erase_turn(OLD.turn_id) THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;

DROP TRIGGER evidence_bag_immutable ON assistant_evidencebag;
CREATE TRIGGER evidence_bag_immutable BEFORE UPDATE OR DELETE ON assistant_evidencebag
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_bag();

DROP TRIGGER turn_input_immutable ON assistant_turn;
CREATE TRIGGER turn_input_immutable BEFORE UPDATE OF id, conversation_id, application_id, question,
    collections, asked_by, created_at OR DELETE ON assistant_turn
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_turn();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("assistant", "0002_immutable"),
        ("analysis", "0002_immutable"),
        ("audit", "0003_events_of_people"),
    ]
    operations = [migrations.RunSQL(GUARD)]
