"""Checks and jobs share the columns of `workqueue`; what was called dead is called failed."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0024_conflicting_sources"),
        ("accounts", "0004_due_hours_failed"),
    ]

    operations = [
        migrations.RemoveIndex("check", "check_to_ring"),
        migrations.RemoveIndex("check", "check_dead"),
        migrations.RemoveConstraint("check", "check_rings_only_while_queued"),
        migrations.RenameField("check", "ring_at", "due_at"),
        migrations.RenameField("trendpending", "dead", "failed"),
        migrations.RenameField("job", "failures", "attempts"),
    ]
