"""Decisions are fixed after a minute; what was open gets its rank; the first reason codes."""

from django.db import migrations

RANKED = """
UPDATE analysis_review AS r
SET risk = coalesce(c.risk_score, 100),
    rank_at = r.created_at - make_interval(mins => 6 * coalesce(c.risk_score, 100))
FROM analysis_check AS c
WHERE c.id = r.check_record_id AND r.decision IS NULL;
"""
# Within the minute the only change is back to open; after it there is none.
FIXED = """
CREATE TRIGGER review_decision_fixed
BEFORE UPDATE OF check_record_id, application_id, reason, stage, decision, decided_by_id, decided_at,
    note, reason_codes, corrected_text
ON analysis_review FOR EACH ROW
WHEN (OLD.decision IS NOT NULL
      AND (NEW.decision IS NOT NULL OR OLD.decided_at < now() - interval '1 minute'))
EXECUTE FUNCTION watchdog_refuse_change();

CREATE TRIGGER review_decided_stays BEFORE DELETE ON analysis_review FOR EACH ROW
WHEN (OLD.decision IS NOT NULL) EXECUTE FUNCTION watchdog_refuse_change();

CREATE FUNCTION watchdog_refuse_decided_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM analysis_review WHERE id = OLD.review_id AND decision IS NOT NULL) THEN
        RAISE EXCEPTION '% on % is refused: it is evidence and stays as it was written',
            TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER claim_verdict_fixed BEFORE UPDATE OR DELETE ON analysis_claimverdict
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_decided_verdict();
"""
FREE = """
DROP TRIGGER review_decision_fixed ON analysis_review;
DROP TRIGGER review_decided_stays ON analysis_review;
DROP TRIGGER claim_verdict_fixed ON analysis_claimverdict;
DROP FUNCTION watchdog_refuse_decided_verdict();
"""
CODES = [
    ("contradicts-source", "A source says otherwise", "confirmed"),
    ("not-in-sources", "Not in the sources", "confirmed"),
    ("out-of-date", "Out of date", "confirmed"),
    ("off-topic", "Does not answer the question", "confirmed"),
    ("is-supported", "The sources support it", "overturned"),
    ("source-is-wrong", "The source is wrong or out of date", "overturned"),
    ("harmless-wording", "Harmless wording, no wrong fact", "overturned"),
    ("missed-by-check", "Wrong, and the check did not see it", "overturned"),
    ("needs-expert", "Needs an expert", "escalated"),
    ("needs-policy", "The policy does not settle it", "escalated"),
]


def add_codes(apps, schema_editor):
    model = apps.get_model("analysis", "ReasonCode")
    model.objects.bulk_create(
        model(code=code, label=label, decision=decision, position=10 * at)
        for at, (code, label, decision) in enumerate(CODES, 1)
    )


class Migration(migrations.Migration):
    dependencies = [("analysis", "0006_desk"), ("audit", "0008_desk_events")]
    operations = [
        migrations.RunSQL(RANKED, migrations.RunSQL.noop),
        migrations.RunSQL(FIXED, FREE),
        migrations.RunPython(add_codes, migrations.RunPython.noop),
    ]
