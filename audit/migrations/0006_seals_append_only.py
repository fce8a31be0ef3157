"""The database refuses to change or remove a seal, as it does with entries."""

from django.db import migrations

TRIGGER = """
CREATE TRIGGER seal_append_only BEFORE UPDATE OR DELETE ON audit_trailseal
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_seals")]
    operations = [migrations.RunSQL(TRIGGER, "DROP TRIGGER seal_append_only ON audit_trailseal")]
