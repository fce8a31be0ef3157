"""Turns share the columns of `workqueue`; what was called dead is called failed."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("assistant", "0004_open_turns")]

    operations = [
        migrations.RemoveIndex("turn", "turn_to_ring"),
        migrations.RemoveConstraint("turn", "turn_rings_only_while_queued"),
        migrations.RenameField("turn", "ring_at", "due_at"),
    ]
