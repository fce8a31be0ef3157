import accounts.models
import datetime
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('otp_static', '0003_add_timestamps'),
        ('otp_totp', '0003_add_timestamps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='LogoutToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('jti', models.CharField(max_length=255, unique=True)),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Authenticator',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('otp_totp.totpdevice',),
        ),
        migrations.CreateModel(
            name='RecoveryCodes',
            fields=[
            ],
            options={
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('otp_static.staticdevice',),
        ),
        migrations.CreateModel(
            name='Application',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('quality_sample_rate', models.FloatField(default=0.02, help_text='Share (0 to 1) of all checks, whatever their action, drawn for review.', validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)])),
                ('rate_limit_per_minute', models.PositiveIntegerField(blank=True, default=6000, help_text='Checks a minute; empty for no limit.', null=True)),
                ('desk_time_zone', models.CharField(db_default='UTC', default='UTC', max_length=60, validators=[accounts.models.check_time_zone])),
                ('desk_days', models.CharField(db_default='12345', default='12345', help_text='Days on which the desk is open: 1 is Monday, 7 is Sunday.', max_length=7, validators=[django.core.validators.RegexValidator('^1?2?3?4?5?6?7?$', 'Digits from 1 to 7, in their order.')])),
                ('desk_opens_at', models.TimeField(db_default=datetime.time(9, 0), default=datetime.time(9, 0))),
                ('desk_closes_at', models.TimeField(db_default=datetime.time(17, 0), default=datetime.time(17, 0))),
                ('due_hours_block', models.PositiveSmallIntegerField(db_default=4, default=4, help_text='Business hours until a review is due: a blocked answer.', validators=[django.core.validators.MinValueValidator(1)])),
                ('due_hours_failed', models.PositiveSmallIntegerField(db_default=8, default=8, help_text='Business hours until a review is due: a check that has failed or was not fully checked.', validators=[django.core.validators.MinValueValidator(1)])),
                ('due_hours_warn', models.PositiveSmallIntegerField(db_default=16, default=16, help_text='Business hours until a review is due: a warned answer.', validators=[django.core.validators.MinValueValidator(1)])),
                ('due_hours_sample', models.PositiveSmallIntegerField(db_default=40, default=40, help_text='Business hours until a review is due: the quality sample.', validators=[django.core.validators.MinValueValidator(1)])),
                ('second_review_share', models.FloatField(db_default=0.0, default=0.0, help_text='Share (0 to 1) of all decisions that a second person makes again, blind.', validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)])),
                ('second_review_of_overturned_blocks', models.BooleanField(db_default=False, default=False, help_text='Every overturn of a BLOCK is decided again by a second person, blind.')),
                ('checks_per_day', models.PositiveIntegerField(blank=True, help_text='Checks that may be submitted on a day (UTC); empty: no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('checks_per_month', models.PositiveIntegerField(blank=True, help_text='Checks that may be submitted in a month (UTC); empty: no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('claims_per_month', models.PositiveIntegerField(blank=True, help_text='Claims that may be checked in a month (UTC); empty: no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('tokens_per_day', models.PositiveIntegerField(blank=True, help_text='Tokens that the assistant may spend on a day (UTC); empty: no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('file_megabytes', models.PositiveIntegerField(blank=True, help_text='Megabytes of uploaded files that may be stored; empty: no limit.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('keep_inputs_days', models.PositiveIntegerField(blank=True, help_text='Days for which question, answer, sources and all that quotes them are kept; empty: for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('keep_results_days', models.PositiveIntegerField(blank=True, help_text='Days for which claims, evidence, measurements and decisions are kept; empty: for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('keep_reviews_days', models.PositiveIntegerField(blank=True, help_text="Days for which reviewers' notes and corrections, and end users' comments are kept; empty: for ever.", null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('keep_files_days', models.PositiveIntegerField(blank=True, help_text='Days for which uploaded documents, with their passages in the index are kept; empty: for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('keep_conversations_days', models.PositiveIntegerField(blank=True, help_text='Days for which questions to the assistant, with answers and evidence are kept; empty: for ever.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('checks_per_day__isnull', True), ('checks_per_day__gt', 0), _connector='OR'), name='application_checks_per_day_positive'), models.CheckConstraint(condition=models.Q(('checks_per_month__isnull', True), ('checks_per_month__gt', 0), _connector='OR'), name='application_checks_per_month_positive'), models.CheckConstraint(condition=models.Q(('claims_per_month__isnull', True), ('claims_per_month__gt', 0), _connector='OR'), name='application_claims_per_month_positive'), models.CheckConstraint(condition=models.Q(('tokens_per_day__isnull', True), ('tokens_per_day__gt', 0), _connector='OR'), name='application_tokens_per_day_positive'), models.CheckConstraint(condition=models.Q(('file_megabytes__isnull', True), ('file_megabytes__gt', 0), _connector='OR'), name='application_file_megabytes_positive'), models.CheckConstraint(condition=models.Q(('keep_inputs_days__isnull', True), ('keep_inputs_days__gt', 0), _connector='OR'), name='application_keeps_inputs_a_day'), models.CheckConstraint(condition=models.Q(('keep_results_days__isnull', True), ('keep_results_days__gt', 0), _connector='OR'), name='application_keeps_results_a_day'), models.CheckConstraint(condition=models.Q(('keep_reviews_days__isnull', True), ('keep_reviews_days__gt', 0), _connector='OR'), name='application_keeps_reviews_a_day'), models.CheckConstraint(condition=models.Q(('keep_files_days__isnull', True), ('keep_files_days__gt', 0), _connector='OR'), name='application_keeps_files_a_day'), models.CheckConstraint(condition=models.Q(('keep_conversations_days__isnull', True), ('keep_conversations_days__gt', 0), _connector='OR'), name='application_keeps_conversations_a_day'), models.CheckConstraint(condition=models.Q(('quality_sample_rate__gte', 0), ('quality_sample_rate__lte', 1)), name='application_sample_rate_is_a_share'), models.CheckConstraint(condition=models.Q(('second_review_share__gte', 0), ('second_review_share__lte', 1)), name='application_second_review_is_a_share'), models.CheckConstraint(condition=models.Q(('desk_closes_at__gt', models.F('desk_opens_at'))), name='application_desk_closes_after_opening'), models.CheckConstraint(condition=models.Q(('desk_days__regex', '^1?2?3?4?5?6?7?$'), models.Q(('desk_days', ''), _negated=True)), name='application_desk_days_known'), models.CheckConstraint(condition=models.Q(('due_hours_block__gt', 0), ('due_hours_failed__gt', 0), ('due_hours_sample__gt', 0), ('due_hours_warn__gt', 0)), name='application_due_hours_positive'), models.CheckConstraint(condition=models.Q(('rate_limit_per_minute__isnull', True), ('rate_limit_per_minute__gt', 0), _connector='OR'), name='application_rate_limit_positive')],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('issuer', models.CharField(blank=True, max_length=300)),
                ('subject', models.CharField(blank=True, max_length=255)),
                ('sid', models.CharField(blank=True, max_length=255)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('subject', ''), _negated=True), fields=['subject'], name='session_subject'), models.Index(condition=models.Q(('sid', ''), _negated=True), fields=['sid'], name='session_sid')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('prefix', models.CharField(editable=False, max_length=12, unique=True)),
                ('secret_sha256', models.CharField(editable=False, max_length=64)),
                ('scopes', models.JSONField(default=accounts.models.all_scopes)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('owner', models.ForeignKey(blank=True, help_text='Who answers for the key and is asked when it expires.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='owned_api_keys', to=settings.AUTH_USER_MODEL)),
                ('replaced_by', models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaces', to='accounts.apikey')),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to='accounts.application')),
            ],
            options={
                'verbose_name': 'API key',
                'constraints': [models.CheckConstraint(condition=models.Q(('expires_at__isnull', True), ('expires_at__gt', models.F('created_at')), _connector='OR'), name='api_key_expires_after_creation'), models.CheckConstraint(condition=models.Q(('secret_sha256__regex', '^[0-9a-f]{64}$')), name='api_key_secret_is_hashed')],
            },
        ),
        migrations.CreateModel(
            name='Holiday',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(help_text='In the time zone of the desk.')),
                ('name', models.CharField(blank=True, max_length=80)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='holidays', to='accounts.application')),
            ],
            options={
                'ordering': ['day'],
                'constraints': [models.UniqueConstraint(fields=('application', 'day'), name='holiday_once_a_day', violation_error_message='This day is a holiday already.')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('reviewer', 'reviewer'), ('lead', 'lead'), ('auditor', 'auditor (reads all, changes nothing)')], max_length=10)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.application')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'application'), name='membership_one_role'), models.CheckConstraint(condition=models.Q(('role__in', ['reviewer', 'lead', 'auditor'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='ProviderIdentity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('issuer', models.CharField(max_length=300)),
                ('subject', models.CharField(max_length=255)),
                ('closed_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='provider_identity', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'provider identities',
                'constraints': [models.UniqueConstraint(fields=('issuer', 'subject'), name='provider_identity_once'), models.CheckConstraint(condition=models.Q(models.Q(('issuer', ''), _negated=True), models.Q(('subject', ''), _negated=True)), name='provider_identity_named')],
            },
        ),
        migrations.CreateModel(
            name='QuotaUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('slot', models.PositiveSmallIntegerField()),
                ('checks', models.PositiveIntegerField(default=0)),
                ('claims', models.PositiveIntegerField(db_default=0, default=0)),
                ('application', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'day', 'slot'), name='quota_use_once_a_day_and_slot')],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='accounts.application')),
                ('members', models.ManyToManyField(blank=True, related_name='teams', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('application', 'name'), name='team_name_once', violation_error_message='There is a team of this name already.')],
            },
        ),
    ]
