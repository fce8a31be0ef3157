import django.contrib.postgres.fields
import notifications.models
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('notifications', '0002_probes'), ('notifications', '0003_hold'), ('notifications', '0004_names')]

    dependencies = [
        ('accounts', '0002_second_approver'),
        ('notifications', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_kind_known',
        ),
        migrations.RemoveConstraint(
            model_name='subscription',
            name='subscription_kinds_known',
        ),
        migrations.RemoveConstraint(
            model_name='subscription',
            name='subscription_mail_is_for_the_desk',
        ),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('review.overdue', 'a review is overdue'), ('review.escalated', 'a lead must settle a review'), ('rejections.unusual', 'the rejection rate changed unusually'), ('check.done', 'a check has its verdict'), ('check.failed', 'a check was given up'), ('batch.done', 'every check of a batch has ended'), ('review.decided', 'a review was decided'), ('check.released', 'a held answer was approved, refused or not decided'), ('probe.failed', 'a probe of the guard did not pass'), ('evidence.ready', 'the evidence pack of a month can be downloaded'), ('test', 'a test')], max_length=20),
        ),
        migrations.AlterField(
            model_name='subscription',
            name='kinds',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('review.overdue', 'a review is overdue'), ('review.escalated', 'a lead must settle a review'), ('rejections.unusual', 'the rejection rate changed unusually'), ('check.done', 'a check has its verdict'), ('check.failed', 'a check was given up'), ('batch.done', 'every check of a batch has ended'), ('review.decided', 'a review was decided'), ('check.released', 'a held answer was approved, refused or not decided'), ('probe.failed', 'a probe of the guard did not pass'), ('evidence.ready', 'the evidence pack of a month can be downloaded')], max_length=20), default=notifications.models.desk_kinds, size=None),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['review.overdue', 'review.escalated', 'rejections.unusual', 'check.done', 'check.failed', 'batch.done', 'review.decided', 'check.released', 'probe.failed', 'evidence.ready', 'test'])), name='notification_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('kinds__contained_by', ['review.overdue', 'review.escalated', 'rejections.unusual', 'check.done', 'check.failed', 'batch.done', 'review.decided', 'check.released', 'probe.failed', 'evidence.ready']), models.Q(('kinds', []), _negated=True)), name='subscription_kinds_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('channel', 'email'), _negated=True), ('kinds__contained_by', ['review.overdue', 'review.escalated', 'rejections.unusual', 'probe.failed', 'evidence.ready']), _connector='OR'), name='subscription_mail_is_for_the_desk', violation_error_message='E-mail is possible for reviews, rejections, probes and evidence packs only.'),
        ),
        migrations.AlterModelOptions(
            name='subscription',
            options={'verbose_name': 'webhook or e-mail', 'verbose_name_plural': 'webhooks and e-mails'},
        ),
        migrations.AlterField(
            model_name='subscription',
            name='is_active',
            field=models.BooleanField(default=True, verbose_name='active'),
        ),
    ]
