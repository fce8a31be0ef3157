from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("analysis", "0003_time_sums")]

    operations = [
        migrations.AddField(
            "trial", "judge", models.CharField(blank=True, db_default="", max_length=200)
        ),
        migrations.RemoveConstraint("trial", "trial_of_two_versions"),
        migrations.AddConstraint(
            "trial",
            models.CheckConstraint(
                condition=Q(judge="") & ~Q(policy=F("control")) | ~Q(judge="") & Q(mode="shadow"),
                name="trial_of_two_versions",
            ),
        ),
    ]
