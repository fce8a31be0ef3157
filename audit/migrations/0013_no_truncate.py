"""The trail is not emptied at one go either: docs/decisions/0621-truncate.md.

Row triggers do not see TRUNCATE. Only a session that says so beforehand may (the tests' own
database, which they empty between each other).
"""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION watchdog_refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('watchdog.truncate_trail', true) IS DISTINCT FROM 'allowed' THEN
        RAISE EXCEPTION '% on % is refused: it is evidence and stays as it was written',
            TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
"""
TRIGGERS = {"trail_no_truncate": "audit_trailentry", "seal_no_truncate": "audit_trailseal"}


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_manager_changed")]
    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION watchdog_refuse_truncate()"),
        *(
            migrations.RunSQL(
                f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION watchdog_refuse_truncate()",
                f"DROP TRIGGER {name} ON {table}",
            )
            for name, table in TRIGGERS.items()
        ),
    ]
