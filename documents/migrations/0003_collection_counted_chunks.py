from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('documents', '0002_injection_rules'),
    ]

    operations = [
        migrations.AddField(
            model_name='collection',
            name='counted_chunks',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
    ]
