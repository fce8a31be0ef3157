import django.db.models.deletion
import django.db.models.functions.datetime
import pgvector.django.halfvec
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


# A fact and its managers are of one application: no foreign key of Django's can say so.
SAME_APPLICATION = """
ALTER TABLE memory_memoryentry
    ADD CONSTRAINT memory_owner_of_application FOREIGN KEY (manager_id, application_id)
        REFERENCES memory_manager (id, application_id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT memory_stated_in_application FOREIGN KEY (stated_by_id, application_id)
        REFERENCES memory_manager (id, application_id) DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        pgvector.django.VectorExtension(),
        migrations.CreateModel(
            name='Manager',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=120)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='managers', to='accounts.application')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='managers', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='MemoryEntry',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('target', models.CharField(choices=[('user', "the manager's own"), ('company', "the application's")], max_length=7)),
                ('text', models.CharField(max_length=500)),
                ('slot', models.CharField(blank=True, db_default='', max_length=200)),
                ('value', models.CharField(blank=True, db_default='', max_length=200)),
                ('confidence', models.FloatField()),
                ('judge', models.CharField(max_length=160)),
                ('origin', models.CharField(choices=[('stated', 'stated in a conversation'), ('corrected', 'corrected by hand'), ('imported', 'imported from a file')], db_default='stated', max_length=9)),
                ('source', models.CharField(blank=True, db_default='', max_length=200)),
                ('embedding', pgvector.django.halfvec.HalfVectorField(dimensions=384)),
                ('embedding_model', models.CharField(max_length=160)),
                ('stated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('superseded_at', models.DateTimeField(null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.application')),
                ('manager', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='memory.manager')),
                ('stated_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='stated', to='memory.manager')),
                ('superseded_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='supersedes', to='memory.memoryentry')),
            ],
            options={
                'verbose_name_plural': 'memory entries',
            },
        ),
        migrations.AddConstraint(
            model_name='manager',
            constraint=models.UniqueConstraint(fields=('application', 'name'), name='manager_name_once_per_application'),
        ),
        migrations.AddConstraint(
            model_name='manager',
            constraint=models.UniqueConstraint(fields=('application', 'user'), name='manager_once_per_user_and_application'),
        ),
        migrations.AddConstraint(
            model_name='manager',
            constraint=models.UniqueConstraint(fields=('id', 'application'), name='manager_in_application'),
        ),
        migrations.AddConstraint(
            model_name='manager',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='manager_is_named'),
        ),
        migrations.AddIndex(
            model_name='memoryentry',
            index=models.Index(condition=models.Q(('superseded_at', None)), fields=['application', 'target', 'manager'], name='memory_active'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('manager__isnull', False), ('target', 'user')), models.Q(('manager__isnull', True), ('target', 'company')), _connector='OR'), name='memory_user_fact_has_its_manager'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('superseded_at', None), ('superseded_by', None)), models.Q(('superseded_at__isnull', False), ('superseded_by__isnull', False)), _connector='OR'), name='memory_superseded_at_and_by'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(('superseded_at', None), ('superseded_at__gte', models.F('stated_at')), _connector='OR'), name='memory_superseded_after_stated'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(('superseded_by', models.F('id')), _negated=True), name='memory_never_supersedes_itself'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('slot', ''), ('value', '')), models.Q(models.Q(('slot', ''), _negated=True), models.Q(('value', ''), _negated=True)), _connector='OR'), name='memory_slot_and_value'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='memory_says_something'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0.65), ('confidence__lte', 1)), name='memory_is_confident'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.CheckConstraint(condition=models.Q(('origin__in', ['stated', 'corrected', 'imported'])), name='memory_origin_known'),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.UniqueConstraint(condition=models.Q(('superseded_at', None), models.Q(('slot', ''), _negated=True)), fields=('application', 'target', 'manager', 'slot'), name='memory_one_value_a_slot', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='memoryentry',
            constraint=models.UniqueConstraint(condition=models.Q(('superseded_at', None)), fields=('application', 'target', 'manager', 'text'), name='memory_text_once', nulls_distinct=False),
        ),
        migrations.RunSQL(SAME_APPLICATION, migrations.RunSQL.noop),
    ]
