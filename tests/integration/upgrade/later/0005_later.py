"""A column that is filled from what rows hold already, as a later release may add one."""

from django.db import migrations, models

FILL = "UPDATE accounts_application SET first_day = created_at::date"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_help_texts")]
    operations = [
        migrations.AddField("application", "first_day", models.DateField(null=True)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
