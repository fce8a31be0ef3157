"""Inputs, results and policy versions are never edited: triggers refuse it.

The triggers on checks and policies fire only when a guarded column is named in an UPDATE, so the
moves of the queue pay nothing for them.
"""

from django.db import migrations

GUARDS = {
    "check_input_immutable": (
        "analysis_check",
        "UPDATE OF id, application_id, batch_id, batch_index, submitted_by, query, answer, sources,"
        " collections, scope, source_model, metadata, samples, token_logprobs, input_sha256,"
        " created_at OR DELETE",
    ),
    "policy_immutable": (
        "analysis_policy",
        "UPDATE OF id, application_id, version, rules, note, created_by, created_at OR DELETE",
    ),
    "annotated_answer_immutable": ("analysis_annotatedanswer", "UPDATE OR DELETE"),
    "claim_immutable": ("analysis_claim", "UPDATE OR DELETE"),
}


def guard(name: str, table: str, events: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} BEFORE {events} ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change()",
        f"DROP TRIGGER {name} ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = [("analysis", "0001_initial"), ("audit", "0002_append_only")]
    operations = [guard(name, *rest) for name, rest in GUARDS.items()]
