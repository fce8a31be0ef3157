"""Documents share the columns of `workqueue`."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("documents", "0005_reembedding")]

    operations = [
        migrations.RemoveIndex("document", "document_to_ring"),
        migrations.RemoveConstraint("document", "document_rings_only_while_queued"),
        migrations.RenameField("document", "ring_at", "due_at"),
    ]
