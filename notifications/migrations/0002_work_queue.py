"""Notifications share the columns of `workqueue`."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("notifications", "0001_initial")]

    operations = [
        migrations.RemoveConstraint("notification", "notification_state_paired"),
        migrations.RenameField("notification", "reason", "last_error"),
    ]
