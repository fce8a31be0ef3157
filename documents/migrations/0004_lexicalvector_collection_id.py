from django.db import migrations, models

FILL = """
    UPDATE documents_lexicalvector AS lexical SET collection_id = chunk.collection_id
    FROM documents_chunk AS chunk WHERE chunk.id = lexical.chunk_id
"""


class Migration(migrations.Migration):

    # The column is filled and then altered, which one transaction cannot do where triggers wait.
    atomic = False

    dependencies = [
        ('documents', '0003_collection_counted_chunks'),
    ]

    operations = [
        migrations.AddField(
            model_name='lexicalvector',
            name='collection_id',
            field=models.UUIDField(null=True),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='lexicalvector',
            name='collection_id',
            field=models.UUIDField(),
        ),
    ]
