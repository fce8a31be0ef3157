"""Probes and their results. A check that is a probe may be deleted, and is one for good."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


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

    dependencies = [
        ('accounts', '0001_initial'),
        ('analysis', '0005_verification_jobs'),
        ('audit', '0002_probes'),
    ]

    operations = [
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
    ]
