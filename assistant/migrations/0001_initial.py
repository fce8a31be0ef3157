from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('documents', '0001_initial'),
        ('audit', '0001_initial'),
        ('accounts', '0001_initial'),
        ('analysis', '0001_initial'),
        ('memory', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(blank=True, db_default='', max_length=120)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('manager', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='conversations', to='memory.manager')),
            ],
        ),
        migrations.CreateModel(
            name='BriefingSchedule',
            fields=[
                ('manager', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='briefing_schedule', serialize=False, to='memory.manager')),
                ('email', models.EmailField(max_length=254)),
                ('at', models.TimeField()),
                ('timezone', models.CharField(max_length=64)),
                ('weekdays', models.JSONField(default=list)),
                ('is_active', models.BooleanField(db_default=True, default=True)),
                ('last_on', models.DateField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('epoch', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, null=True, verbose_name='next attempt')),
                ('last_error', models.CharField(blank=True, db_default='', default='', editable=False, max_length=500)),
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('question', models.TextField()),
                ('collections', models.JSONField(default=list)),
                ('asked_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], db_default='queued', default='queued', max_length=7)),
                ('step', models.CharField(choices=[('waiting', 'Waiting'), ('retrieving', 'searching the documents'), ('weather', 'asking for the weather'), ('memory', 'reading what you told me'), ('writing', 'writing the answer'), ('checking', 'checking the answer'), ('done', 'Done')], db_default='waiting', default='waiting', max_length=10)),
                ('answer', models.TextField(blank=True, db_default='')),
                ('arrived', models.JSONField(db_default={}, default=dict)),
                ('writing', models.JSONField(null=True)),
                ('memory', models.JSONField(null=True)),
                ('milliseconds', models.JSONField(default=dict)),
                ('finished_at', models.DateTimeField(null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='turns', to='accounts.application')),
                ('check_record', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assistant_turn', to='analysis.check')),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='turns', to='assistant.conversation')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TurnEvidence',
            fields=[
                ('turn', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='evidence', serialize=False, to='assistant.turn')),
                ('contents', models.JSONField()),
                ('sha256', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='TokenUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('tokens', models.PositiveBigIntegerField(default=0)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='BriefingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('epoch', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, null=True, verbose_name='next attempt')),
                ('last_error', models.CharField(blank=True, db_default='', default='', editable=False, max_length=500)),
                ('email', models.EmailField(max_length=254)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('sent', 'Sent'), ('failed', 'Failed')], db_default='queued', default='queued', max_length=7)),
                ('sent_at', models.DateTimeField(null=True)),
                ('conversation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='briefing_mail', to='assistant.conversation')),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('state', 'queued')), fields=['due_at'], name='briefingmail_due'), models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='briefingmail_leased')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='briefingmail_lease_only_while_running'), models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('state', 'queued')), models.Q(models.Q(('state', 'queued'), _negated=True), ('due_at__isnull', True)), _connector='OR'), name='briefingmail_due_only_while_queued'), models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'sent', 'failed'])), name='briefing_mail_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('sent_at__isnull', False), ('state', 'sent')), models.Q(models.Q(('state', 'sent'), _negated=True), ('sent_at__isnull', True)), _connector='OR'), name='briefing_mail_sent_at_only_when_sent')],
            },
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['manager', '-id'], name='conversation_by_manager'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('state', 'queued')), fields=['due_at'], name='turn_due'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='turn_leased'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(fields=['conversation', 'id'], name='turn_by_conversation'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['conversation'], name='turn_open'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='turn_lease_only_while_running'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('state', 'queued')), models.Q(models.Q(('state', 'queued'), _negated=True), ('due_at__isnull', True)), _connector='OR'), name='turn_due_only_while_queued'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('question', ''), _negated=True), name='turn_asks_something'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed'])), name='turn_state_known'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('step__in', ['waiting', 'retrieving', 'weather', 'memory', 'writing', 'checking', 'done'])), name='turn_step_known'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state', 'done'), ('writing__isnull', False)), models.Q(models.Q(('state', 'done'), _negated=True), ('finished_at__isnull', True)), _connector='OR'), name='turn_done_with_its_answer'),
        ),
        migrations.AddConstraint(
            model_name='tokenuse',
            constraint=models.UniqueConstraint(fields=('application', 'day'), name='token_use_once_a_day'),
        ),
        migrations.RunSQL(Path(__file__).with_name("guards.sql").read_text("utf-8")),
    ]
