from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0002_probes_holds_cases")]

    operations = [
        migrations.AddField("claimday", name, models.PositiveBigIntegerField(db_default=0))
        for name in ("worker_time", "total_time", "waiting_time", "model_time")
    ]
