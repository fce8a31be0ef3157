"""An application may want a second person to activate a policy version."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="application",
            name="second_approver",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="A new policy version is activated by somebody else than its author.",
            ),
        ),
    ]
