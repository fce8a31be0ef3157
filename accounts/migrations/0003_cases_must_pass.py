"""An application wants its regression cases to pass before a version is activated."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_second_approver")]

    operations = [
        migrations.AddField(
            model_name="application",
            name="cases_must_pass",
            field=models.BooleanField(
                db_default=True,
                default=True,
                help_text="A policy version under which a regression case does not pass is not "
                "activated; a superuser may override this with a reason.",
            ),
        ),
    ]
