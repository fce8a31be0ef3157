from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('audit', '0002_probes'), ('audit', '0003_hold'), ('audit', '0004_cases')]

    dependencies = [
        ('audit', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='trailentry',
            name='trail_event_known',
        ),
        migrations.AlterField(
            model_name='trailentry',
            name='event',
            field=models.CharField(choices=[('application.created', 'Application Created'), ('api_key.created', 'Api Key Created'), ('api_key.revoked', 'Api Key Revoked'), ('api_key.rotated', 'Api Key Rotated'), ('api_key.changed', 'Api Key Changed'), ('role.granted', 'Role Granted'), ('role.withdrawn', 'Role Withdrawn'), ('policy.created', 'Policy Created'), ('policy.activated', 'Policy Activated'), ('policy.trial_started', 'Policy Trial Started'), ('policy.trial_ended', 'Policy Trial Ended'), ('check.submitted', 'Check Submitted'), ('check.decided', 'Check Decided'), ('check.failed', 'Check Failed'), ('check.released', 'Check Released'), ('check.replayed', 'Check Replayed'), ('check.link_made', 'Check Link Made'), ('check.feedback_given', 'Check Feedback Given'), ('check.erased', 'Check Erased'), ('conversation.erased', 'Conversation Erased'), ('person.erased', 'Person Erased'), ('hold.placed', 'Hold Placed'), ('hold.lifted', 'Hold Lifted'), ('collection.created', 'Collection Created'), ('collection.changed', 'Collection Changed'), ('collection.reembedded', 'Collection Reembedded'), ('collection.deleted', 'Collection Deleted'), ('document.uploaded', 'Document Uploaded'), ('document.deleted', 'Document Deleted'), ('review.decided', 'Review Decided'), ('export.record', 'Record Exported'), ('export.reviewed', 'Reviewed Exported'), ('export.citeeval', 'Citeeval Exported'), ('export.dashboard', 'Dashboard Exported'), ('export.heads', 'Heads Exported'), ('export.evidence', 'Evidence Exported'), ('probe.sent', 'Probes Sent'), ('probe.changed', 'Probe Changed'), ('case.changed', 'Case Changed'), ('review.undone', 'Review Undone'), ('review.changed', 'Review Changed'), ('reason_code.changed', 'Reason Code Changed'), ('application.changed', 'Application Changed'), ('manager.created', 'Manager Created'), ('manager.changed', 'Manager Changed'), ('manager.deleted', 'Manager Deleted'), ('memory.written', 'Memory Written'), ('memory.undone', 'Memory Undone'), ('memory.deleted', 'Memory Deleted'), ('memory.exported', 'Memory Exported'), ('team.changed', 'Team Changed'), ('subscription.changed', 'Subscription Changed'), ('user.created', 'User Created'), ('user.changed', 'User Changed'), ('user.logged_in', 'Logged In'), ('user.login_failed', 'Login Failed'), ('user.login_locked', 'Login Locked'), ('user.password_changed', 'Password Changed'), ('user.second_factor_changed', 'Second Factor Changed'), ('user.second_factor_failed', 'Second Factor Failed')], max_length=40),
        ),
        migrations.AddConstraint(
            model_name='trailentry',
            constraint=models.CheckConstraint(condition=models.Q(('event__in', ['application.created', 'api_key.created', 'api_key.revoked', 'api_key.rotated', 'api_key.changed', 'role.granted', 'role.withdrawn', 'policy.created', 'policy.activated', 'policy.trial_started', 'policy.trial_ended', 'check.submitted', 'check.decided', 'check.failed', 'check.released', 'check.replayed', 'check.link_made', 'check.feedback_given', 'check.erased', 'conversation.erased', 'person.erased', 'hold.placed', 'hold.lifted', 'collection.created', 'collection.changed', 'collection.reembedded', 'collection.deleted', 'document.uploaded', 'document.deleted', 'review.decided', 'export.record', 'export.reviewed', 'export.citeeval', 'export.dashboard', 'export.heads', 'export.evidence', 'probe.sent', 'probe.changed', 'case.changed', 'review.undone', 'review.changed', 'reason_code.changed', 'application.changed', 'manager.created', 'manager.changed', 'manager.deleted', 'memory.written', 'memory.undone', 'memory.deleted', 'memory.exported', 'team.changed', 'subscription.changed', 'user.created', 'user.changed', 'user.logged_in', 'user.login_failed', 'user.login_locked', 'user.password_changed', 'user.second_factor_changed', 'user.second_factor_failed'])), name='trail_event_known'),
        ),
    ]
