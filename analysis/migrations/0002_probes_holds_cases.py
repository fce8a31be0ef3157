"""Add probes, held answers, reviewers' opinions and regression cases."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import analysis.engine.types

# The outcome of a check, in its columns, is evidence like its result: a trigger refuses changes.
_COLUMNS = ("action", "risk_level", "risk_score", "sampled", "sampling_probability", "finished_at")
_NEW, _OLD = (", ".join(f"{row}.{name}" for name in _COLUMNS) for row in ("NEW", "OLD"))
_TRIGGER = f"""
CREATE TRIGGER check_outcome_immutable BEFORE UPDATE OF {", ".join(_COLUMNS)} ON analysis_check
FOR EACH ROW WHEN (OLD.action IS NOT NULL AND ({_NEW}) IS DISTINCT FROM ({_OLD}))
EXECUTE FUNCTION watchdog_refuse_change();
"""

# A check that is a probe may be deleted, and is one for good.
_GUARDS = """
DROP TRIGGER check_input_immutable ON analysis_check;
CREATE TRIGGER check_input_immutable
BEFORE UPDATE OF id, application_id, batch_id, batch_index, submitted_by, query, answer, sources,
    collections, scope, source_model, metadata, samples, token_logprobs, input_sha256, created_at,
    input_erased_at, result_erased_at, reviews_erased_at
OR DELETE ON analysis_check FOR EACH ROW WHEN (NOT OLD.is_probe)
EXECUTE FUNCTION watchdog_guard_check();

-- Otherwise a check could be made a probe, and deleted as one.
CREATE TRIGGER check_probe_fixed BEFORE UPDATE OF is_probe ON analysis_check
FOR EACH ROW WHEN (OLD.is_probe IS DISTINCT FROM NEW.is_probe)
EXECUTE FUNCTION watchdog_refuse_change();

CREATE FUNCTION watchdog_is_probe(check_id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM analysis_check WHERE id = check_id AND is_probe)
$$;

CREATE OR REPLACE FUNCTION watchdog_guard_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND (watchdog_may_erase(OLD.check_record_id, 'result')
                             OR watchdog_is_probe(OLD.check_record_id)) THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;

CREATE OR REPLACE FUNCTION watchdog_guard_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND (watchdog_may_erase(OLD.annotated_answer_id, 'result')
                             OR watchdog_is_probe(OLD.annotated_answer_id)) THEN
        RETURN OLD;
    END IF;
    PERFORM watchdog_refuse(TG_OP, TG_TABLE_NAME);
END $$;

CREATE TRIGGER probe_result_immutable BEFORE UPDATE ON analysis_proberesult
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();
"""


class Migration(migrations.Migration):

    replaces = [
        ('analysis', '0002_judge_day'),
        ('analysis', '0003_claims_not_confirmed'),
        ('analysis', '0004_outcome_is_evidence'),
        ('analysis', '0005_verification_jobs'),
        ('analysis', '0006_probes'),
        ('analysis', '0007_oversight'),
        ('analysis', '0008_hold'),
        ('analysis', '0009_opinions'),
        ('analysis', '0010_cases'),
    ]

    dependencies = [
        ('accounts', '0002_second_approver'),
        ('analysis', '0001_initial'),
        ('audit', '0002_probes_holds_cases'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
        migrations.RemoveConstraint(
            model_name='claim',
            name='claim_reason_only_under_low_confidence',
        ),
        migrations.AlterField(
            model_name='claim',
            name='reason',
            field=models.CharField(blank=True, choices=[(analysis.engine.types.LowConfidenceReason['NOT_CONFIRMED'], analysis.engine.types.LowConfidenceReason['NOT_CONFIRMED']), (analysis.engine.types.LowConfidenceReason['NOT_SUPPORTED'], analysis.engine.types.LowConfidenceReason['NOT_SUPPORTED']), (analysis.engine.types.LowConfidenceReason['NOTHING_FOUND'], analysis.engine.types.LowConfidenceReason['NOTHING_FOUND']), (analysis.engine.types.LowConfidenceReason['CONFLICTING_SOURCES'], analysis.engine.types.LowConfidenceReason['CONFLICTING_SOURCES']), (analysis.engine.types.LowConfidenceReason['NOT_CHECKABLE'], analysis.engine.types.LowConfidenceReason['NOT_CHECKABLE']), (analysis.engine.types.LowConfidenceReason['NOT_CHECKED'], analysis.engine.types.LowConfidenceReason['NOT_CHECKED'])], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason__in', ['not_confirmed', 'not_supported', 'nothing_found', 'conflicting_sources', 'not_checkable', 'not_checked']), ('status', 'Low Confidence')), models.Q(models.Q(('status', 'Low Confidence'), _negated=True), ('reason', '')), _connector='OR'), name='claim_reason_only_under_low_confidence'),
        ),
        migrations.RunSQL(_TRIGGER, "DROP TRIGGER check_outcome_immutable ON analysis_check"),
        migrations.RemoveConstraint(
            model_name='job',
            name='job_kind_known',
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('replay', 'replay of stored checks'), ('bulk_decision', 'bulk decision on reviews'), ('evaluation', 'evaluation of reviewed checks'), ('retention', 'erasure of expired data'), ('verification', 'verification of the trail')], max_length=13),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['replay', 'bulk_decision', 'evaluation', 'retention', 'verification'])), name='job_kind_known'),
        ),
        migrations.AddField(
            model_name='batch',
            name='is_probe',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='check',
            name='is_probe',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.CreateModel(
            name='Probe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(help_text='The name of an included probe replaces that one, also by one switched off.', max_length=60)),
                ('query', models.TextField(blank=True, verbose_name='question')),
                ('answer', models.TextField()),
                ('sources', models.JSONField(blank=True, default=list, help_text='A JSON list of texts, such as ["First source."].')),
                ('verdict', models.CharField(choices=[('flagged', 'WARN or BLOCK'), ('blocked', 'BLOCK alone'), ('allowed', 'ALLOW alone')], default='flagged', max_length=7, verbose_name='right verdict')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='probes', to='accounts.application')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('application', 'name'), name='probe_name_once', violation_error_message='The application has a probe of this name.'), models.CheckConstraint(condition=models.Q(('verdict__in', ['flagged', 'blocked', 'allowed'])), name='probe_verdict_known'), models.CheckConstraint(condition=models.Q(('answer', ''), _negated=True), name='probe_has_an_answer')],
            },
        ),
        migrations.CreateModel(
            name='ProbeResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('run', models.UUIDField()),
                ('probe', models.CharField(max_length=60)),
                ('way', models.CharField(choices=[('api', 'API'), ('batch', 'Batch'), ('proxy', 'Proxy'), ('stream', 'Stream'), ('judge', 'Judge')], max_length=6)),
                ('judge', models.CharField(blank=True, max_length=160)),
                ('verdict', models.CharField(choices=[('flagged', 'WARN or BLOCK'), ('blocked', 'BLOCK alone'), ('allowed', 'ALLOW alone')], max_length=7)),
                ('outcome', models.CharField(choices=[('passed', 'passed'), ('missed', 'missed: a bad answer got through'), ('false_alarm', 'false alarm: a good answer was flagged'), ('unchecked', 'not checked: there was no verdict')], max_length=11)),
                ('action', models.CharField(blank=True, max_length=5)),
                ('detail', models.CharField(blank=True, max_length=500)),
                ('milliseconds', models.PositiveIntegerField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('application', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='probe_results', to='accounts.application')),
            ],
            options={
                'indexes': [models.Index(fields=['application', '-at'], name='probe_result_newest'), models.Index(fields=['at'], name='probe_result_by_age')],
                'constraints': [models.CheckConstraint(condition=models.Q(('outcome__in', ['passed', 'missed', 'false_alarm', 'unchecked'])), name='probe_result_outcome_known'), models.CheckConstraint(condition=models.Q(models.Q(('application', None), ('way', 'judge'), models.Q(('judge', ''), _negated=True)), models.Q(('judge', ''), ('way__in', ['api', 'batch', 'proxy', 'stream']), ('application__isnull', False)), _connector='OR'), name='probe_result_of_application_or_judge')],
            },
        ),
        migrations.RunSQL(_GUARDS),
        migrations.AddField(
            model_name='review',
            name='work_began_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.CreateModel(
            name='HeldAnswer',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='held', serialize=False, to='analysis.check')),
                ('state', models.CharField(choices=[('awaiting', 'awaiting review'), ('approved', 'approved'), ('edited', 'approved in other words'), ('refused', 'refused'), ('expired', 'not decided in time')], default='awaiting', max_length=8)),
                ('due_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(null=True)),
                ('review', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='settled_hold', to='analysis.review')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'awaiting')), fields=['due_at'], name='held_awaiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('review__isnull', True), ('settled_at__isnull', True), ('state', 'awaiting')), models.Q(('review__isnull', True), ('settled_at__isnull', False), ('state', 'expired')), models.Q(('review__isnull', False), ('settled_at__isnull', False), ('state__in', ('approved', 'edited', 'refused'))), _connector='OR'), name='held_answer_settled_by_somebody')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='review',
            name='review_reason_known',
        ),
        migrations.RemoveConstraint(
            model_name='review',
            name='review_decision_paired',
        ),
        migrations.AlterField(
            model_name='review',
            name='decision',
            field=models.CharField(choices=[('confirmed', 'Confirmed'), ('overturned', 'Overturned'), ('escalated', 'Escalated'), ('replayed', 'retried (a failed check)'), ('approved', 'Approved'), ('refused', 'Refused')], max_length=10, null=True),
        ),
        migrations.AlterField(
            model_name='review',
            name='reason',
            field=models.CharField(choices=[('block', 'blocked'), ('warn', 'warned'), ('failed', 'could not be checked'), ('not_checked', 'allowed, not fully checked'), ('quality_sample', 'sampled for quality review'), ('held', 'held until a person approves it')], max_length=14),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['block', 'warn', 'failed', 'not_checked', 'quality_sample', 'held'])), name='review_reason_known'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('decision__isnull', True)), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('decision__in', ['confirmed', 'overturned', 'escalated', 'replayed', 'approved', 'refused']), ('decision__isnull', False)), _connector='OR'), name='review_decision_paired'),
        ),
        migrations.AddField(
            model_name='review',
            name='evidence_seconds',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='review',
            name='opinion',
            field=models.CharField(choices=[('show', 'I would show it'), ('withhold', 'I would not show it'), ('unsure', 'I cannot say')], editable=False, max_length=8, null=True),
        ),
        migrations.AlterField(
            model_name='review',
            name='stage',
            field=models.CharField(choices=[('first', 'first review'), ('second', 'second review'), ('adjudication', 'adjudication by a lead')], db_default='first', default='first', max_length=12),
        ),
        migrations.CreateModel(
            name='QueueInstructions',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(blank=True, choices=[('block', 'blocked'), ('warn', 'warned'), ('failed', 'could not be checked'), ('not_checked', 'allowed, not fully checked'), ('quality_sample', 'sampled for quality review'), ('held', 'held until a person approves it')], help_text='Empty: for all queues.', max_length=14, verbose_name='queue')),
                ('text', models.TextField(max_length=10000)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='instructions', to='accounts.application')),
            ],
            options={
                'verbose_name': 'instructions',
                'verbose_name_plural': 'instructions',
                'constraints': [models.UniqueConstraint(fields=('application', 'reason'), name='queue_instructions_once', violation_error_message='This queue has instructions already.'), models.CheckConstraint(condition=models.Q(('reason__in', ['', 'block', 'warn', 'failed', 'not_checked', 'quality_sample', 'held'])), name='queue_instructions_reason_known')],
            },
        ),
        migrations.CreateModel(
            name='SamplingPlan',
            fields=[
                ('application', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sampling_plan', serialize=False, to='accounts.application')),
                ('most_error', models.FloatField(default=0.02, validators=[django.core.validators.MinValueValidator(0.001), django.core.validators.MaxValueValidator(0.5)], verbose_name='highest share of wrong decisions')),
                ('confidence', models.FloatField(default=0.95, validators=[django.core.validators.MinValueValidator(0.5), django.core.validators.MaxValueValidator(0.999)], verbose_name='certainty')),
                ('days', models.PositiveIntegerField(default=90, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(366)], verbose_name='days up to now')),
                ('by_action', models.BooleanField(default=True, verbose_name='by action')),
                ('by_band', models.BooleanField(default=False, verbose_name='by band of the risk score')),
                ('by_segment', models.BooleanField(default=False, verbose_name='by model that wrote the answer')),
                ('automatic', models.BooleanField(default=False, help_text='The share of the quality sample is set so that the plan can be met.', verbose_name='automatic')),
                ('most_share', models.FloatField(default=0.2, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)], verbose_name='highest automatic share')),
            ],
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('check_record', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='case', serialize=False, to='analysis.check')),
                ('use', models.CharField(choices=[('seeded', 'seeded in the review queue'), ('regression', 'decided again by every policy')], max_length=10)),
                ('name', models.CharField(max_length=100)),
                ('is_bad', models.BooleanField(default=True, help_text='Whether the right decision on the answer is not to show it.', verbose_name='must not be shown')),
                ('added_by', models.CharField(editable=False, max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='accounts.application')),
            ],
            options={
                'indexes': [models.Index(fields=['application', 'use'], name='case_by_use')],
                'constraints': [models.CheckConstraint(condition=models.Q(('use__in', ['seeded', 'regression'])), name='case_use_known')],
            },
        ),
    ]
