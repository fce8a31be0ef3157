import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
        ('analysis', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='JudgeDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('judge', models.CharField(max_length=160)),
                ('decided', models.PositiveBigIntegerField()),
                ('unavailable', models.PositiveBigIntegerField()),
                ('calls', models.PositiveBigIntegerField()),
                ('tokens', models.PositiveBigIntegerField()),
                ('application', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'day', 'judge'), name='judge_day_once')],
            },
        ),
    ]
