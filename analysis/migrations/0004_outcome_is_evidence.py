"""The outcome of a check, in its columns, is evidence like its result: a trigger refuses changes."""

from django.db import migrations

_COLUMNS = ("action", "risk_level", "risk_score", "sampled", "sampling_probability", "finished_at")
_NEW, _OLD = (", ".join(f"{row}.{name}" for name in _COLUMNS) for row in ("NEW", "OLD"))
_TRIGGER = f"""
CREATE TRIGGER check_outcome_immutable BEFORE UPDATE OF {", ".join(_COLUMNS)} ON analysis_check
FOR EACH ROW WHEN (OLD.action IS NOT NULL AND ({_NEW}) IS DISTINCT FROM ({_OLD}))
EXECUTE FUNCTION watchdog_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0003_claims_not_confirmed"),
        ("audit", "0001_initial"),
    ]

    operations = [
        migrations.RunSQL(_TRIGGER, "DROP TRIGGER check_outcome_immutable ON analysis_check"),
    ]
