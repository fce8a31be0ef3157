from pathlib import Path

import analysis.engine.replay
import analysis.engine.types
import analysis.trends.metrics
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
import pgvector.django.halfvec
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


def sql(name: str) -> str:
    """The statements in `<name>.sql` beside this file."""
    return Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8")


CODES = [
    ("contradicts-source", "A source says otherwise", "confirmed"),
    ("not-in-sources", "Not in the sources", "confirmed"),
    ("out-of-date", "Out of date", "confirmed"),
    ("off-topic", "Does not answer the question", "confirmed"),
    ("is-supported", "The sources support it", "overturned"),
    ("source-is-wrong", "The source is wrong or out of date", "overturned"),
    ("harmless-wording", "Harmless wording, no wrong fact", "overturned"),
    ("missed-by-check", "Wrong, and the check did not see it", "overturned"),
    ("needs-expert", "Needs an expert", "escalated"),
    ("needs-policy", "The policy does not settle it", "escalated"),
]


def add_codes(apps, schema_editor):
    model = apps.get_model("analysis", "ReasonCode")
    model.objects.bulk_create(
        model(code=code, label=label, decision=decision, position=10 * place)
        for place, (code, label, decision) in enumerate(CODES, 1)
    )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('audit', '0001_initial'),
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        pgvector.django.VectorExtension(),
        migrations.CreateModel(
            name='Check',
            fields=[
                ('epoch', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, null=True, verbose_name='next attempt')),
                ('last_error', models.CharField(blank=True, db_default='', default='', editable=False, max_length=500)),
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('batch_index', models.PositiveIntegerField(null=True)),
                ('submitted_by', models.CharField(max_length=200)),
                ('query', models.TextField(blank=True)),
                ('answer', models.TextField()),
                ('sources', models.JSONField(null=True)),
                ('collections', models.JSONField(default=list)),
                ('scope', models.JSONField(default=dict)),
                ('source_model', models.CharField(blank=True, max_length=200)),
                ('metadata', models.JSONField(default=dict)),
                ('samples', models.JSONField(default=list)),
                ('token_logprobs', models.JSONField(null=True)),
                ('messages', models.JSONField(null=True)),
                ('input_sha256', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='queued', max_length=8)),
                ('action', models.CharField(choices=[(analysis.engine.types.Action['ALLOW'], analysis.engine.types.Action['ALLOW']), (analysis.engine.types.Action['WARN'], analysis.engine.types.Action['WARN']), (analysis.engine.types.Action['BLOCK'], analysis.engine.types.Action['BLOCK'])], max_length=5, null=True)),
                ('risk_level', models.CharField(choices=[(analysis.engine.types.RiskLevel['LOW'], analysis.engine.types.RiskLevel['LOW']), (analysis.engine.types.RiskLevel['MEDIUM'], analysis.engine.types.RiskLevel['MEDIUM']), (analysis.engine.types.RiskLevel['HIGH'], analysis.engine.types.RiskLevel['HIGH'])], max_length=6, null=True)),
                ('risk_score', models.PositiveSmallIntegerField(null=True)),
                ('sampled', models.BooleanField(null=True)),
                ('sampling_probability', models.FloatField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('input_erased_at', models.DateTimeField(editable=False, null=True)),
                ('result_erased_at', models.DateTimeField(editable=False, null=True)),
                ('reviews_erased_at', models.DateTimeField(editable=False, null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='accounts.application')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('items_total', models.PositiveIntegerField()),
                ('errors', models.JSONField(default=list)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='accounts.application')),
            ],
            options={
                'verbose_name_plural': 'batches',
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claim_id', models.CharField(max_length=12)),
                ('text', models.TextField()),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('subject', models.TextField(blank=True)),
                ('extraction_method', models.CharField(max_length=60)),
                ('status', models.CharField(choices=[(analysis.engine.types.ClaimStatus['SUPPORTED'], analysis.engine.types.ClaimStatus['SUPPORTED']), (analysis.engine.types.ClaimStatus['CONTRADICTORY'], analysis.engine.types.ClaimStatus['CONTRADICTORY']), (analysis.engine.types.ClaimStatus['LOW_CONFIDENCE'], analysis.engine.types.ClaimStatus['LOW_CONFIDENCE'])], max_length=14)),
                ('reason', models.CharField(blank=True, choices=[(analysis.engine.types.LowConfidenceReason['NOT_SUPPORTED'], analysis.engine.types.LowConfidenceReason['NOT_SUPPORTED']), (analysis.engine.types.LowConfidenceReason['NOTHING_FOUND'], analysis.engine.types.LowConfidenceReason['NOTHING_FOUND']), (analysis.engine.types.LowConfidenceReason['CONFLICTING_SOURCES'], analysis.engine.types.LowConfidenceReason['CONFLICTING_SOURCES']), (analysis.engine.types.LowConfidenceReason['NOT_CHECKABLE'], analysis.engine.types.LowConfidenceReason['NOT_CHECKABLE']), (analysis.engine.types.LowConfidenceReason['NOT_CHECKED'], analysis.engine.types.LowConfidenceReason['NOT_CHECKED'])], max_length=20)),
                ('signal', models.JSONField()),
                ('decision', models.JSONField()),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='DecidedReach',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
            ],
        ),
        migrations.CreateModel(
            name='SearchReach',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry_id', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='TopicRun',
            fields=[
                ('application', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='accounts.application')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('since', models.DateTimeField()),
                ('questions', models.PositiveIntegerField()),
                ('all_read', models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name='AnnotatedAnswer',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='annotated_answer', serialize=False, to='analysis.check')),
                ('engine_version', models.CharField(max_length=40)),
                ('measurement', models.JSONField()),
                ('decision', models.JSONField()),
                ('suggestions', models.JSONField(null=True)),
                ('milliseconds', models.FloatField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AddField(
            model_name='check',
            name='batch',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='analysis.batch'),
        ),
        migrations.CreateModel(
            name='ClaimDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('claims', models.PositiveIntegerField()),
                ('application', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='DecidedDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('reason', models.CharField(max_length=14)),
                ('decision', models.CharField(max_length=10)),
                ('decided', models.PositiveIntegerField()),
                ('followed', models.PositiveIntegerField()),
                ('sample_count', models.PositiveIntegerField()),
                ('application', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('giver', models.CharField(max_length=64)),
                ('helpful', models.BooleanField()),
                ('comment', models.CharField(blank=True, db_default='', max_length=2000)),
                ('given_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='feedback', to='accounts.application')),
                ('check_record', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='feedback', to='analysis.check')),
            ],
            options={
                'verbose_name_plural': 'feedback',
            },
        ),
        migrations.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('request_sha256', models.CharField(max_length=64)),
                ('made_id', models.UUIDField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='accounts.application')),
                ('batch_made', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='analysis.batch')),
                ('check_made', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='analysis.check')),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('epoch', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, null=True, verbose_name='next attempt')),
                ('last_error', models.CharField(blank=True, db_default='', default='', editable=False, max_length=500)),
                ('kind', models.CharField(choices=[('replay', 'replay of stored checks'), ('bulk_decision', 'bulk decision on reviews'), ('evaluation', 'evaluation of reviewed checks'), ('retention', 'erasure of expired data')], max_length=13)),
                ('state', models.CharField(choices=[('prepared', 'Prepared'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], max_length=8)),
                ('created_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('input', models.JSONField()),
                ('progress', models.JSONField(default=dict)),
                ('result', models.JSONField(null=True)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('finished_at', models.DateTimeField(null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='accounts.application')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='LegalHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500)),
                ('placed_by', models.CharField(editable=False, max_length=200)),
                ('placed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('lifted_by', models.CharField(blank=True, db_default='', editable=False, max_length=200)),
                ('lifted_at', models.DateTimeField(editable=False, null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='legal_holds', to='accounts.application')),
                ('check_record', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='legal_holds', to='analysis.check')),
            ],
        ),
        migrations.CreateModel(
            name='ModelUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('signal', models.CharField(max_length=40)),
                ('model', models.CharField(max_length=160)),
                ('day', models.DateField()),
                ('application', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='Policy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('rules', models.JSONField()),
                ('note', models.CharField(blank=True, max_length=500)),
                ('is_active', models.BooleanField(default=False)),
                ('created_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='policies', to='accounts.application')),
            ],
            options={
                'verbose_name_plural': 'policies',
            },
        ),
        migrations.CreateModel(
            name='ReasonCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(max_length=40, unique=True)),
                ('label', models.CharField(max_length=80)),
                ('decision', models.CharField(blank=True, choices=[('confirmed', 'Confirmed'), ('overturned', 'Overturned'), ('escalated', 'Escalated')], help_text='The decision that it gives a reason for; empty for any.', max_length=10)),
                ('position', models.PositiveSmallIntegerField(default=100)),
                ('is_active', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ['position', 'code'],
                'constraints': [models.CheckConstraint(condition=models.Q(('decision__in', ['', 'confirmed', 'overturned', 'escalated'])), name='reason_code_decision_known')],
            },
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('block', 'blocked'), ('warn', 'warned'), ('failed', 'could not be checked'), ('not_checked', 'allowed, not fully checked'), ('quality_sample', 'sampled for quality review')], max_length=14)),
                ('stage', models.CharField(choices=[('first', 'first review'), ('second', 'second review, blind to the first'), ('adjudication', 'adjudication by a lead')], db_default='first', default='first', max_length=12)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('risk', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('rank_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('due_at', models.DateTimeField(null=True)),
                ('overdue_notified_at', models.DateTimeField(null=True)),
                ('version', models.PositiveIntegerField(db_default=1, default=1)),
                ('lease_until', models.DateTimeField(null=True)),
                ('snoozed_until', models.DateTimeField(null=True)),
                ('decision', models.CharField(choices=[('confirmed', 'Confirmed'), ('overturned', 'Overturned'), ('escalated', 'Escalated'), ('replayed', 'retried (a failed check)')], max_length=10, null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('note', models.TextField(blank=True, db_default='')),
                ('reason_codes', models.JSONField(db_default=models.Value([], models.JSONField()), default=list)),
                ('corrected_text', models.TextField(blank=True, db_default='', default='')),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='accounts.application')),
                ('assigned_team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='assigned_reviews', to='accounts.team')),
                ('assigned_to', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assigned_reviews', to=settings.AUTH_USER_MODEL)),
                ('check_record', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='analysis.check')),
                ('claimed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='claimed_reviews', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ClaimVerdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[(analysis.engine.types.ClaimStatus['SUPPORTED'], analysis.engine.types.ClaimStatus['SUPPORTED']), (analysis.engine.types.ClaimStatus['CONTRADICTORY'], analysis.engine.types.ClaimStatus['CONTRADICTORY']), (analysis.engine.types.ClaimStatus['LOW_CONFIDENCE'], analysis.engine.types.ClaimStatus['LOW_CONFIDENCE'])], max_length=14)),
                ('agrees', models.BooleanField()),
                ('claim', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='analysis.claim')),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claim_verdicts', to='analysis.review')),
            ],
        ),
        migrations.CreateModel(
            name='ReviewDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fields', models.JSONField(default=dict)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='analysis.review')),
                ('written_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ReviewSkip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='analysis.review')),
                ('skipped_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), size=None)),
                ('example', models.TextField()),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='TopicMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='topic', to='analysis.check')),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='analysis.topic')),
            ],
        ),
        migrations.CreateModel(
            name='TrendCell',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dimension', models.CharField(choices=[(analysis.trends.metrics.Dimension['ALL'], analysis.trends.metrics.Dimension['ALL']), (analysis.trends.metrics.Dimension['COLLECTION'], analysis.trends.metrics.Dimension['COLLECTION']), (analysis.trends.metrics.Dimension['SOURCE_MODEL'], analysis.trends.metrics.Dimension['SOURCE_MODEL']), (analysis.trends.metrics.Dimension['POLICY'], analysis.trends.metrics.Dimension['POLICY'])], max_length=12)),
                ('grain', models.CharField(choices=[(analysis.trends.metrics.Grain['HOUR'], analysis.trends.metrics.Grain['HOUR']), (analysis.trends.metrics.Grain['DAY'], analysis.trends.metrics.Grain['DAY'])], max_length=4)),
                ('bucket', models.DateTimeField()),
                ('value', models.CharField(blank=True, max_length=200)),
                ('counts', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='TrendPending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('check_id', models.UUIDField()),
                ('failed', models.BooleanField()),
                ('delta', models.SmallIntegerField(db_default=1)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('delta__in', (-1, 1))), name='trend_pending_delta')],
            },
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mode', models.CharField(choices=[(analysis.engine.replay.TrialMode['SHADOW'], analysis.engine.replay.TrialMode['SHADOW']), (analysis.engine.replay.TrialMode['SPLIT'], analysis.engine.replay.TrialMode['SPLIT'])], max_length=6)),
                ('share', models.FloatField()),
                ('started_by', models.CharField(max_length=200)),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_by', models.CharField(blank=True, max_length=200)),
                ('ended_at', models.DateTimeField(null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='accounts.application')),
                ('control', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.policy')),
                ('policy', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='analysis.policy')),
            ],
        ),
        migrations.AddField(
            model_name='claim',
            name='annotated_answer',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='analysis.annotatedanswer'),
        ),
        migrations.AddField(
            model_name='annotatedanswer',
            name='policy',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotated_answers', to='analysis.policy'),
        ),
        migrations.CreateModel(
            name='CheckEmbedding',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='embedding', serialize=False, to='analysis.check')),
                ('model', models.CharField(blank=True, max_length=160)),
                ('query', pgvector.django.halfvec.HalfVectorField(dimensions=384, null=True)),
                ('answer', pgvector.django.halfvec.HalfVectorField(dimensions=384, null=True)),
                ('truncated', models.BooleanField(default=False)),
                ('reason', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', False), ('reason', ''), models.Q(('model', ''), _negated=True)), models.Q(models.Q(('reason', ''), _negated=True), ('answer__isnull', True), ('model', ''), ('query__isnull', True), ('truncated', False)), _connector='OR'), name='check_embedding_or_reason')],
            },
        ),
        migrations.CreateModel(
            name='CheckSearch',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='search', serialize=False, to='analysis.check')),
                ('vector', django.contrib.postgres.search.SearchVectorField()),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['vector'], name='check_search_words')],
            },
        ),
        migrations.CreateModel(
            name='CountedCheck',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='counted', serialize=False, to='analysis.check')),
                ('created_at', models.DateTimeField()),
                ('source_model', models.CharField(blank=True, max_length=200)),
                ('policy', models.CharField(blank=True, max_length=12)),
                ('collections', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), size=None)),
                ('places', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None)),
                ('nothing_found', models.BooleanField(default=False)),
                ('application', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='TrialCheck',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='trial_check', serialize=False, to='analysis.check')),
                ('arm', models.CharField(choices=[(analysis.engine.replay.Arm['CONTROL'], analysis.engine.replay.Arm['CONTROL']), (analysis.engine.replay.Arm['TRIAL'], analysis.engine.replay.Arm['TRIAL'])], max_length=7)),
                ('outcome', models.JSONField(null=True)),
                ('trial', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='analysis.trial')),
            ],
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(condition=models.Q(('state', 'queued')), fields=['due_at'], name='check_due'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='check_leased'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['application', '-id'], name='check_by_application'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['action', '-id'], name='check_by_action'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['application', 'action', '-id'], name='check_application_action'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['application', 'risk_level', '-id'], name='check_application_level'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['risk_level', '-id'], name='check_by_level'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['created_at'], name='check_by_date'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=django.contrib.postgres.indexes.GinIndex(fields=['metadata'], name='check_by_metadata', opclasses=['jsonb_path_ops']),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(condition=models.Q(('state', 'failed')), fields=['-id'], name='check_failed'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='check_lease_only_while_running'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('state', 'queued')), models.Q(models.Q(('state', 'queued'), _negated=True), ('due_at__isnull', True)), _connector='OR'), name='check_due_only_while_queued'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), _negated=True), ('input_erased_at__isnull', False), _connector='OR'), name='check_answer_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('input_erased_at__isnull', True), models.Q(('result_erased_at__isnull', False), ('reviews_erased_at__isnull', False)), _connector='OR'), name='check_input_erased_last'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('messages', None), ('input_erased_at', None), _connector='OR'), name='check_messages_erased_with_input'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed'])), name='check_state_known'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action__in', ['ALLOW', 'WARN', 'BLOCK']), ('action__isnull', False), ('finished_at__isnull', False), ('risk_level__in', ['LOW', 'MEDIUM', 'HIGH']), ('risk_level__isnull', False), ('risk_score__isnull', False), ('risk_score__range', (0, 100)), ('sampled__isnull', False), ('sampling_probability__isnull', False), ('sampling_probability__range', (0, 1)), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('action__isnull', True), ('finished_at__isnull', True), ('risk_level__isnull', True), ('risk_score__isnull', True), ('sampled__isnull', True), ('sampling_probability__isnull', True)), _connector='OR'), name='check_outcome_all_or_nothing'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('batch__isnull', True), ('batch_index__isnull', True)), models.Q(('batch__isnull', False), ('batch_index__isnull', False)), _connector='OR'), name='check_batch_paired'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.UniqueConstraint(fields=('batch', 'batch_index'), name='check_batch_item_once'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['id'], name='batch_open'),
        ),
        migrations.AddConstraint(
            model_name='claimday',
            constraint=models.UniqueConstraint(fields=('application', 'day'), name='claim_day_once'),
        ),
        migrations.AddConstraint(
            model_name='decidedday',
            constraint=models.UniqueConstraint(fields=('application', 'day', 'reason', 'decision'), name='decided_day_once'),
        ),
        migrations.AddConstraint(
            model_name='feedback',
            constraint=models.UniqueConstraint(fields=('check_record', 'giver'), name='feedback_one_word_each'),
        ),
        migrations.AddConstraint(
            model_name='feedback',
            constraint=models.CheckConstraint(condition=models.Q(('giver__regex', '^[0-9a-f]{64}$')), name='feedback_giver_is_a_digest'),
        ),
        migrations.AddConstraint(
            model_name='feedback',
            constraint=models.CheckConstraint(condition=models.Q(('given_by', ''), _negated=True), name='feedback_given_by_somebody'),
        ),
        migrations.AddIndex(
            model_name='idempotencykey',
            index=models.Index(fields=['created_at'], name='idempotency_by_age'),
        ),
        migrations.AddConstraint(
            model_name='idempotencykey',
            constraint=models.UniqueConstraint(fields=('application', 'key'), name='idempotency_key_once'),
        ),
        migrations.AddConstraint(
            model_name='idempotencykey',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('batch_made', None), ('check_made', None)), ('made_id', None), _connector='XOR'), models.Q(('check_made', None), ('batch_made', None), _connector='OR')), name='idempotency_made_one_thing'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state', 'queued')), fields=['due_at'], name='job_due'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='job_leased'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state__in', ['prepared', 'queued', 'running'])), fields=['id'], name='job_unfinished'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['application', '-id'], name='job_of_application'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='job_lease_only_while_running'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('state', 'queued')), models.Q(models.Q(('state', 'queued'), _negated=True), ('due_at__isnull', True)), _connector='OR'), name='job_due_only_while_queued'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['replay', 'bulk_decision', 'evaluation', 'retention'])), name='job_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['prepared', 'queued', 'running', 'done', 'failed'])), name='job_state_known'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('result__isnull', False), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('result__isnull', True)), _connector='OR'), name='job_result_paired'),
        ),
        migrations.AddConstraint(
            model_name='legalhold',
            constraint=models.UniqueConstraint(condition=models.Q(('lifted_at__isnull', True)), fields=('application', 'check_record'), name='legal_hold_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='legalhold',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='legal_hold_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='legalhold',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lifted_at__isnull', True), ('lifted_by', '')), models.Q(('lifted_at__isnull', False), models.Q(('lifted_by', ''), _negated=True)), _connector='OR'), name='legal_hold_lifted_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='modeluse',
            constraint=models.UniqueConstraint(fields=('application', 'day', 'signal', 'model'), name='model_use_once_a_day'),
        ),
        migrations.AddConstraint(
            model_name='policy',
            constraint=models.UniqueConstraint(fields=('application', 'version'), name='policy_version_unique'),
        ),
        migrations.AddConstraint(
            model_name='policy',
            constraint=models.UniqueConstraint(condition=models.Q(('is_active', True)), fields=('application',), name='policy_one_active_per_application'),
        ),
        migrations.AddConstraint(
            model_name='policy',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='policy_version_from_1'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', True)), fields=['application', 'created_at'], name='review_open'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', True)), fields=['rank_at', 'id'], name='review_rank'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', True)), fields=['application', 'rank_at', 'id'], name='review_offered'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', True)), fields=['application', 'due_at'], name='review_due'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', True), ('overdue_notified_at__isnull', True)), fields=['due_at', 'id'], name='review_overdue_unnotified'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', True)), fields=['claimed_by'], name='review_claimed'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('assigned_to__isnull', False), ('decision__isnull', True)), fields=['assigned_to', 'rank_at'], name='review_assigned'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('assigned_team__isnull', False), ('decision__isnull', True)), fields=['assigned_team', 'rank_at'], name='review_assigned_team'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', False)), fields=['application', '-decided_at'], include=('reason', 'decision'), name='review_decided_how'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('stage', 'first'), _negated=True), fields=['check_record'], name='review_further'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('decision__isnull', False)), fields=['decided_by', '-decided_at'], name='review_by_person'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.UniqueConstraint(condition=models.Q(('decision__isnull', True)), fields=('check_record',), name='review_one_open_per_check'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['block', 'warn', 'failed', 'not_checked', 'quality_sample'])), name='review_reason_known'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('stage__in', ['first', 'second', 'adjudication'])), name='review_stage_known'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('assigned_to__isnull', True), ('assigned_team__isnull', True), _connector='OR'), name='review_assigned_to_one'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('risk__lte', 100)), name='review_risk_is_a_score'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('claimed_by__isnull', True), ('lease_until__isnull', True)), models.Q(('claimed_by__isnull', False), ('decision__isnull', True), ('lease_until__isnull', False)), _connector='OR'), name='review_lease_paired_while_open'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('decision__isnull', False), models.Q(('corrected_text', ''), ('note', ''), ('reason_codes', [])), _connector='OR'), name='review_words_only_with_a_decision'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('decision__isnull', True)), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('decision__in', ['confirmed', 'overturned', 'escalated', 'replayed']), ('decision__isnull', False)), _connector='OR'), name='review_decision_paired'),
        ),
        migrations.AddConstraint(
            model_name='claimverdict',
            constraint=models.UniqueConstraint(fields=('review', 'claim'), name='claim_verdict_once'),
        ),
        migrations.AddConstraint(
            model_name='claimverdict',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['Supported', 'Contradictory', 'Low Confidence'])), name='claim_verdict_status_known'),
        ),
        migrations.AddConstraint(
            model_name='reviewdraft',
            constraint=models.UniqueConstraint(fields=('review', 'written_by'), name='review_draft_once'),
        ),
        migrations.AddConstraint(
            model_name='reviewskip',
            constraint=models.UniqueConstraint(fields=('review', 'skipped_by'), name='review_skip_once'),
        ),
        migrations.AddConstraint(
            model_name='reviewskip',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='review_skip_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='trendcell',
            constraint=models.UniqueConstraint(fields=('application', 'dimension', 'grain', 'bucket', 'value'), name='trend_cell_once'),
        ),
        migrations.AddConstraint(
            model_name='trendcell',
            constraint=models.CheckConstraint(condition=models.Q(('dimension__in', ['all', 'collection', 'source_model', 'policy'])), name='trend_dimension_known'),
        ),
        migrations.AddConstraint(
            model_name='trendcell',
            constraint=models.CheckConstraint(condition=models.Q(('grain__in', ['hour', 'day'])), name='trend_grain_known'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('application',), name='trial_one_open_per_application'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(('mode__in', ['shadow', 'split'])), name='trial_mode_known'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(('share__gt', 0), ('share__lte', 1)), name='trial_share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(('policy', models.F('control')), _negated=True), name='trial_of_two_versions'),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by', '')), models.Q(('ended_at__isnull', False), models.Q(('ended_by', ''), _negated=True)), _connector='OR'), name='trial_end_paired'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(fields=('annotated_answer', 'claim_id'), name='claim_once_per_answer'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='claim_span_ordered'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['Supported', 'Contradictory', 'Low Confidence'])), name='claim_status_known'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason__in', ['not_supported', 'nothing_found', 'conflicting_sources', 'not_checkable', 'not_checked']), ('status', 'Low Confidence')), models.Q(models.Q(('status', 'Low Confidence'), _negated=True), ('reason', '')), _connector='OR'), name='claim_reason_only_under_low_confidence'),
        ),
        migrations.AddIndex(
            model_name='countedcheck',
            index=models.Index(fields=['application', '-created_at'], name='counted_by_application'),
        ),
        migrations.AddIndex(
            model_name='countedcheck',
            index=models.Index(condition=models.Q(('nothing_found', True)), fields=['application', '-created_at'], name='counted_nothing_found'),
        ),
        migrations.AddIndex(
            model_name='countedcheck',
            index=django.contrib.postgres.indexes.GinIndex(fields=['places'], name='counted_by_place'),
        ),
        migrations.AddConstraint(
            model_name='trialcheck',
            constraint=models.CheckConstraint(condition=models.Q(('arm__in', ['control', 'trial'])), name='trial_arm_known'),
        ),
        migrations.RunSQL(sql("guards")),
        migrations.RunSQL(sql("search")),
        migrations.RunSQL(sql("months")),
        migrations.RunPython(add_codes),
    ]
