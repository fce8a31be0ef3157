from pathlib import Path

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='TrailEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('application_id', models.UUIDField(null=True)),
                ('event', models.CharField(choices=[('application.created', 'Application Created'), ('api_key.created', 'Api Key Created'), ('api_key.revoked', 'Api Key Revoked'), ('api_key.rotated', 'Api Key Rotated'), ('api_key.changed', 'Api Key Changed'), ('role.granted', 'Role Granted'), ('role.withdrawn', 'Role Withdrawn'), ('policy.created', 'Policy Created'), ('policy.activated', 'Policy Activated'), ('policy.trial_started', 'Policy Trial Started'), ('policy.trial_ended', 'Policy Trial Ended'), ('check.submitted', 'Check Submitted'), ('check.decided', 'Check Decided'), ('check.failed', 'Check Failed'), ('check.replayed', 'Check Replayed'), ('check.link_made', 'Check Link Made'), ('check.feedback_given', 'Check Feedback Given'), ('check.erased', 'Check Erased'), ('conversation.erased', 'Conversation Erased'), ('person.erased', 'Person Erased'), ('hold.placed', 'Hold Placed'), ('hold.lifted', 'Hold Lifted'), ('collection.created', 'Collection Created'), ('collection.changed', 'Collection Changed'), ('collection.reembedded', 'Collection Reembedded'), ('collection.deleted', 'Collection Deleted'), ('document.uploaded', 'Document Uploaded'), ('document.deleted', 'Document Deleted'), ('review.decided', 'Review Decided'), ('export.record', 'Record Exported'), ('export.reviewed', 'Reviewed Exported'), ('export.citeeval', 'Citeeval Exported'), ('export.dashboard', 'Dashboard Exported'), ('export.heads', 'Heads Exported'), ('review.undone', 'Review Undone'), ('review.changed', 'Review Changed'), ('reason_code.changed', 'Reason Code Changed'), ('application.changed', 'Application Changed'), ('manager.created', 'Manager Created'), ('manager.changed', 'Manager Changed'), ('manager.deleted', 'Manager Deleted'), ('memory.written', 'Memory Written'), ('memory.undone', 'Memory Undone'), ('memory.deleted', 'Memory Deleted'), ('memory.exported', 'Memory Exported'), ('team.changed', 'Team Changed'), ('subscription.changed', 'Subscription Changed'), ('user.created', 'User Created'), ('user.changed', 'User Changed'), ('user.logged_in', 'Logged In'), ('user.login_failed', 'Login Failed'), ('user.login_locked', 'Login Locked'), ('user.password_changed', 'Password Changed'), ('user.second_factor_changed', 'Second Factor Changed'), ('user.second_factor_failed', 'Second Factor Failed')], max_length=40)),
                ('subject_type', models.CharField(max_length=40)),
                ('subject_id', models.CharField(max_length=64)),
                ('actor', models.CharField(max_length=200)),
                ('data', models.JSONField(default=dict)),
                ('occurred_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'verbose_name_plural': 'trail entries',
                'indexes': [models.Index(fields=['application_id', 'id'], name='trail_application'), models.Index(fields=['subject_type', 'subject_id', 'id'], name='trail_subject'), models.Index(condition=models.Q(('event__in', ['check.submitted', 'check.decided']), _negated=True), fields=['event', 'id'], name='trail_rare_event')],
                'constraints': [models.CheckConstraint(condition=models.Q(('event__in', ['application.created', 'api_key.created', 'api_key.revoked', 'api_key.rotated', 'api_key.changed', 'role.granted', 'role.withdrawn', 'policy.created', 'policy.activated', 'policy.trial_started', 'policy.trial_ended', 'check.submitted', 'check.decided', 'check.failed', 'check.replayed', 'check.link_made', 'check.feedback_given', 'check.erased', 'conversation.erased', 'person.erased', 'hold.placed', 'hold.lifted', 'collection.created', 'collection.changed', 'collection.reembedded', 'collection.deleted', 'document.uploaded', 'document.deleted', 'review.decided', 'export.record', 'export.reviewed', 'export.citeeval', 'export.dashboard', 'export.heads', 'review.undone', 'review.changed', 'reason_code.changed', 'application.changed', 'manager.created', 'manager.changed', 'manager.deleted', 'memory.written', 'memory.undone', 'memory.deleted', 'memory.exported', 'team.changed', 'subscription.changed', 'user.created', 'user.changed', 'user.logged_in', 'user.login_failed', 'user.login_locked', 'user.password_changed', 'user.second_factor_changed', 'user.second_factor_failed'])), name='trail_event_known'), models.CheckConstraint(condition=models.Q(('actor', ''), _negated=True), name='trail_actor_named')],
            },
        ),
        migrations.CreateModel(
            name='TrailSeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chain', models.UUIDField()),
                ('number', models.PositiveIntegerField()),
                ('up_to_id', models.BigIntegerField()),
                ('entries', models.PositiveIntegerField()),
                ('position', models.PositiveBigIntegerField()),
                ('leaves', models.BinaryField()),
                ('previous_hash', models.BinaryField(max_length=32)),
                ('hash', models.BinaryField(max_length=32)),
                ('signature', models.BinaryField(max_length=64)),
                ('key_name', models.CharField(max_length=16)),
                ('sealed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(fields=['-up_to_id'], name='seal_watermark')],
                'constraints': [models.UniqueConstraint(fields=('chain', 'number'), name='seal_once_per_number'), models.UniqueConstraint(fields=('chain', 'up_to_id'), name='seal_once_per_reach'), models.CheckConstraint(condition=models.Q(('entries__gte', 1), ('number__gte', 1)), name='seal_holds_something'), models.CheckConstraint(condition=models.Q(('position__gte', models.F('entries'))), name='seal_position_reached')],
            },
        ),
        migrations.RunSQL(Path(__file__).with_name("guards.sql").read_text("utf-8")),
    ]
