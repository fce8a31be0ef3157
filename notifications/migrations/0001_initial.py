import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import notifications.models
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('epoch', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, null=True, verbose_name='next attempt')),
                ('last_error', models.CharField(blank=True, db_default='', default='', editable=False, max_length=500)),
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('review.overdue', 'a review is overdue'), ('review.escalated', 'a lead must settle a review'), ('rejections.unusual', 'the rejection rate changed unusually'), ('check.done', 'a check has its verdict'), ('check.failed', 'a check was given up'), ('batch.done', 'every check of a batch has ended'), ('review.decided', 'a review was decided'), ('test', 'a test')], max_length=20)),
                ('key', models.CharField(max_length=200)),
                ('data', models.JSONField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('sent', 'Sent'), ('failed', 'Failed'), ('withdrawn', 'withdrawn (its cause was taken back, or it was switched off)')], default='queued', max_length=9)),
                ('sent_at', models.DateTimeField(null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('milliseconds', models.PositiveIntegerField()),
                ('notification', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tries', to='notifications.notification')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('email', 'e-mail'), ('webhook', 'webhook')], max_length=7)),
                ('target', models.CharField(help_text='An e-mail address, or the URL of a webhook (https).', max_length=500, verbose_name='address')),
                ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('review.overdue', 'a review is overdue'), ('review.escalated', 'a lead must settle a review'), ('rejections.unusual', 'the rejection rate changed unusually'), ('check.done', 'a check has its verdict'), ('check.failed', 'a check was given up'), ('batch.done', 'every check of a batch has ended'), ('review.decided', 'a review was decided')], max_length=20), default=notifications.models.desk_kinds, size=None)),
                ('is_active', models.BooleanField(default=True)),
                ('salt', models.CharField(default=notifications.models.new_salt, editable=False, max_length=32)),
                ('previous_salt', models.CharField(blank=True, db_default='', default='', editable=False, max_length=32)),
                ('previous_until', models.DateTimeField(editable=False, null=True)),
                ('created_by', models.CharField(editable=False, max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to='accounts.application')),
            ],
        ),
        migrations.AddField(
            model_name='notification',
            name='subscription',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to='notifications.subscription'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(fields=('application', 'channel', 'target'), name='subscription_once_per_address', violation_error_message='This address has a subscription already.'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('channel__in', ['email', 'webhook'])), name='subscription_channel_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('kinds__contained_by', ['review.overdue', 'review.escalated', 'rejections.unusual', 'check.done', 'check.failed', 'batch.done', 'review.decided']), models.Q(('kinds', []), _negated=True)), name='subscription_kinds_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('channel', 'email'), _negated=True), ('kinds__contained_by', ['review.overdue', 'review.escalated', 'rejections.unusual']), _connector='OR'), name='subscription_mail_is_for_the_desk', violation_error_message='E-mail is possible for review and rejection events only.'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('state', 'queued')), fields=['due_at'], name='notification_due'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='notification_leased'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(fields=['subscription', '-id'], name='notification_newest'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(fields=['created_at'], name='notification_by_age'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='notification_lease_only_while_running'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('state', 'queued')), models.Q(models.Q(('state', 'queued'), _negated=True), ('due_at__isnull', True)), _connector='OR'), name='notification_due_only_while_queued'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.UniqueConstraint(fields=('subscription', 'key'), name='notification_told_once'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['review.overdue', 'review.escalated', 'rejections.unusual', 'check.done', 'check.failed', 'batch.done', 'review.decided', 'test'])), name='notification_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'sent', 'failed', 'withdrawn'])), name='notification_state_known'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('sent_at__isnull', False), ('state', 'sent')), models.Q(models.Q(('state', 'sent'), _negated=True), ('sent_at__isnull', True)), _connector='OR'), name='notification_sent_at_only_when_sent'),
        ),
    ]
