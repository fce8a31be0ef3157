"""No session may empty the trail: one that said so beforehand could, which only tests ever did."""

from django.db import migrations

CLOSED = """
DROP TRIGGER trail_no_truncate ON audit_trailentry;
DROP TRIGGER seal_no_truncate ON audit_trailseal;
DROP FUNCTION watchdog_refuse_truncate();
CREATE TRIGGER trail_no_truncate BEFORE TRUNCATE ON audit_trailentry
FOR EACH STATEMENT EXECUTE FUNCTION watchdog_refuse_change();
CREATE TRIGGER seal_no_truncate BEFORE TRUNCATE ON audit_trailseal
FOR EACH STATEMENT EXECUTE FUNCTION watchdog_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0003_drift'),
    ]

    operations = [
        migrations.RunSQL(CLOSED),
    ]
