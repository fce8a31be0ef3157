"""A bag of evidence is never edited, nor is a question: triggers refuse it."""

from django.db import migrations

GUARDS = {
    "evidence_bag_immutable": ("assistant_evidencebag", "UPDATE OR DELETE"),
    "turn_input_immutable": (
        "assistant_turn",
        "UPDATE OF id, conversation_id, application_id, question, collections, asked_by,"
        " created_at OR DELETE",
    ),
}


def guard(name: str, table: str, events: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} BEFORE {events} ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change()",
        f"DROP TRIGGER {name} ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = [("assistant", "0001_initial"), ("audit", "0002_append_only")]
    operations = [guard(name, *rest) for name, rest in GUARDS.items()]
