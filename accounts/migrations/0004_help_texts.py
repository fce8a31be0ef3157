"""Help texts of applications say the same in plainer words; no column changes."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_cases_must_pass'),
    ]

    operations = [
        migrations.AlterField(
            model_name='application',
            name='checks_per_day',
            field=models.PositiveIntegerField(blank=True, help_text='Checks that may be submitted on a day (UTC). Leave empty for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='checks_per_month',
            field=models.PositiveIntegerField(blank=True, help_text='Checks that may be submitted in a month (UTC). Leave empty for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='claims_per_month',
            field=models.PositiveIntegerField(blank=True, help_text='Claims that may be checked in a month (UTC). Leave empty for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='due_hours_block',
            field=models.PositiveSmallIntegerField(db_default=4, default=4, help_text='Desk hours until a blocked answer must be reviewed.', validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='due_hours_failed',
            field=models.PositiveSmallIntegerField(db_default=8, default=8, help_text='Desk hours until a check that failed or was not fully checked must be reviewed.', validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='due_hours_sample',
            field=models.PositiveSmallIntegerField(db_default=40, default=40, help_text='Desk hours until an answer of the quality sample must be reviewed.', validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='due_hours_warn',
            field=models.PositiveSmallIntegerField(db_default=16, default=16, help_text='Desk hours until an answer with a warning must be reviewed.', validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='file_megabytes',
            field=models.PositiveIntegerField(blank=True, help_text='Megabytes of uploaded files that may be stored. Leave empty for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='keep_conversations_days',
            field=models.PositiveIntegerField(blank=True, help_text='How long questions to the assistant, with answers and evidence, are kept. Leave empty to keep them for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='keep_files_days',
            field=models.PositiveIntegerField(blank=True, help_text='How long uploaded documents, with their passages in the index, are kept. Leave empty to keep them for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='keep_inputs_days',
            field=models.PositiveIntegerField(blank=True, help_text='How long the question, the answer, the sources and all that quotes them are kept. Leave empty to keep them for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='keep_results_days',
            field=models.PositiveIntegerField(blank=True, help_text='How long claims, evidence, measurements and decisions are kept. Leave empty to keep them for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='keep_reviews_days',
            field=models.PositiveIntegerField(blank=True, help_text="How long reviewers' notes and corrections, and end users' comments, are kept. Leave empty to keep them for ever.", null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AlterField(
            model_name='application',
            name='rate_limit_per_minute',
            field=models.PositiveIntegerField(blank=True, default=6000, help_text='Leave empty for no limit.', null=True),
        ),
        migrations.AlterField(
            model_name='application',
            name='second_approver',
            field=models.BooleanField(db_default=False, default=False, help_text='A new policy version is activated by someone other than its author.'),
        ),
        migrations.AlterField(
            model_name='application',
            name='tokens_per_day',
            field=models.PositiveIntegerField(blank=True, help_text='Tokens that the assistant may spend on a day (UTC). Leave empty for no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)]),
        ),
    ]
