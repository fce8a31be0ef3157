"""The database itself refuses to change or remove what is evidence.

`watchdog_refuse_change` serves every table whose rows are evidence; later apps attach it too.
"""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION watchdog_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: it is evidence and stays as it was written',
        TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
TRIGGER = """
CREATE TRIGGER trail_append_only BEFORE UPDATE OR DELETE ON audit_trailentry
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]
    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION watchdog_refuse_change()"),
        migrations.RunSQL(TRIGGER, "DROP TRIGGER trail_append_only ON audit_trailentry"),
    ]
