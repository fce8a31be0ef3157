"""A check keeps the conversation that its answer was taken from; it goes when the input is erased."""

from django.db import migrations, models
from django.db.models import Q

GUARD = """
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
"""
NO_GUARD = """
DROP TRIGGER check_messages_immutable ON analysis_check;
DROP FUNCTION watchdog_guard_messages();
"""


class Migration(migrations.Migration):
    dependencies = [("analysis", "0031_count_reasons")]
    operations = [
        migrations.AddField("check", "messages", models.JSONField(null=True)),
        migrations.AddConstraint(
            "check",
            models.CheckConstraint(
                condition=Q(messages=None) | Q(input_erased_at=None),
                name="check_messages_erased_with_input",
            ),
        ),
        migrations.RunSQL(GUARD, NO_GUARD),
    ]
