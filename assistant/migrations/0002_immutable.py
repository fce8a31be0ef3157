"""A bag of evidence is never edited, nor is a question: triggers refuse it."""

from django.db import migrations

TRIGGERS = """
CREATE TRIGGER evidence_bag_immutable BEFORE UPDATE OR DELETE ON assistant_evidencebag
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();

CREATE TRIGGER turn_input_immutable BEFORE UPDATE OF id, conversation_id, application_id, question,
    collections, asked_by, created_at OR DELETE ON assistant_turn
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("assistant", "0001_initial"), ("audit", "0002_append_only")]
    operations = [migrations.RunSQL(TRIGGERS)]
