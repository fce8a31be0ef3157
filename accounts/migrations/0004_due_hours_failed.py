"""What was called dead is called failed."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("accounts", "0003_teams_holidays")]

    operations = [
        migrations.RemoveConstraint("application", "application_due_hours_positive"),
        migrations.RenameField("application", "due_hours_dead", "due_hours_failed"),
    ]
