import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
import documents.models
import pgvector.django.halfvec
import pgvector.django.indexes
import pgvector.django.sparsevec
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        pgvector.django.VectorExtension(),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('epoch', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('attempts', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, null=True, verbose_name='next attempt')),
                ('last_error', models.CharField(blank=True, db_default='', default='', editable=False, max_length=500)),
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=300)),
                ('sha256', models.CharField(max_length=64)),
                ('size_bytes', models.PositiveBigIntegerField()),
                ('uploaded_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('indexed', 'Indexed'), ('failed', 'Failed')], db_default='queued', default='queued', max_length=7)),
                ('error_code', models.CharField(blank=True, db_default='', max_length=40)),
                ('error', models.CharField(blank=True, db_default='', max_length=500)),
                ('file_type', models.CharField(blank=True, db_default='', max_length=10)),
                ('title', models.CharField(blank=True, db_default='', max_length=300)),
                ('text', models.TextField(blank=True, db_default='')),
                ('pages', models.PositiveIntegerField(null=True)),
                ('chunk_count', models.PositiveIntegerField(db_default=0, default=0)),
                ('warnings', models.JSONField(default=list)),
                ('hidden_text', models.JSONField(default=list)),
                ('hidden_passages', models.PositiveIntegerField(db_default=0, default=0)),
                ('flagged_chunks', models.PositiveIntegerField(db_default=0, default=0)),
                ('injection_rules', models.CharField(blank=True, db_default='', max_length=16)),
                ('indexed_at', models.DateTimeField(null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.SlugField(max_length=80)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('class_number', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('subject', models.CharField(blank=True, max_length=120)),
                ('embedding_model', models.CharField(default=documents.models.embedding_model, editable=False, max_length=300)),
                ('average_length', models.FloatField(default=40.0)),
                ('chunk_count', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('terms_counted_at', models.DateTimeField(editable=False, null=True)),
                ('counted_chunks', models.PositiveIntegerField(editable=False, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collections', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='DocumentFile',
            fields=[
                ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file', serialize=False, to='documents.document')),
                ('data', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='document',
            name='collection',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='documents.collection'),
        ),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('total', models.PositiveIntegerField()),
                ('page', models.PositiveIntegerField(null=True)),
                ('last_page', models.PositiveIntegerField(null=True)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('injection', models.JSONField(null=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='documents.collection')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='documents.document')),
            ],
        ),
        migrations.CreateModel(
            name='TermStatistic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('term', models.CharField(max_length=80)),
                ('chunk_count', models.PositiveIntegerField()),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='documents.collection')),
            ],
        ),
        migrations.CreateModel(
            name='UploadKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('request_sha256', models.CharField(max_length=64)),
                ('made_id', models.UUIDField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.application')),
            ],
        ),
        migrations.CreateModel(
            name='DenseVector',
            fields=[
                ('chunk', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='dense', serialize=False, to='documents.chunk')),
                ('model', models.CharField(max_length=160)),
                ('embedding', pgvector.django.halfvec.HalfVectorField(dimensions=384)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='documents.collection')),
            ],
        ),
        migrations.CreateModel(
            name='LexicalVector',
            fields=[
                ('chunk', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lexical', serialize=False, to='documents.chunk')),
                ('collection_id', models.UUIDField()),
                ('lexemes', django.contrib.postgres.search.SearchVectorField()),
                ('weights', pgvector.django.sparsevec.SparseVectorField(dimensions=1000000000)),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['lexemes'], name='lexical_gin')],
            },
        ),
        migrations.CreateModel(
            name='NextVector',
            fields=[
                ('chunk', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='next', serialize=False, to='documents.chunk')),
                ('model', models.CharField(max_length=160)),
                ('embedding', pgvector.django.halfvec.HalfVectorField(dimensions=384)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='documents.collection')),
            ],
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.UniqueConstraint(fields=('application', 'name'), name='collection_name_once_per_application'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('average_length__gt', 0)), name='collection_average_length_positive'),
        ),
        migrations.AddIndex(
            model_name='document',
            index=models.Index(condition=models.Q(('state', 'queued')), fields=['due_at'], name='document_due'),
        ),
        migrations.AddIndex(
            model_name='document',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='document_leased'),
        ),
        migrations.AddIndex(
            model_name='document',
            index=models.Index(fields=['collection', '-id'], name='document_by_collection'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='document_lease_only_while_running'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('state', 'queued')), models.Q(models.Q(('state', 'queued'), _negated=True), ('due_at__isnull', True)), _connector='OR'), name='document_due_only_while_queued'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'indexed')), fields=('collection', 'name'), name='document_indexed_once_per_name'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'indexed', 'failed'])), name='document_state_known'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('chunk_count__gt', 0), ('indexed_at__isnull', False), ('state', 'indexed')), models.Q(models.Q(('state', 'indexed'), _negated=True), ('chunk_count', 0), ('indexed_at__isnull', True)), _connector='OR'), name='document_chunks_only_when_indexed'),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'failed'), models.Q(('error_code', ''), _negated=True), models.Q(('error', ''), _negated=True)), models.Q(('state', 'failed'), _negated=True), _connector='OR'), name='document_failure_says_why'),
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.UniqueConstraint(fields=('document', 'ordinal'), name='chunk_ordinal_once_per_document'),
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='chunk_span_ordered'),
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.CheckConstraint(condition=models.Q(('ordinal__lt', models.F('total'))), name='chunk_ordinal_in_total'),
        ),
        migrations.AddConstraint(
            model_name='termstatistic',
            constraint=models.UniqueConstraint(fields=('collection', 'term'), name='term_once_per_collection'),
        ),
        migrations.AddIndex(
            model_name='uploadkey',
            index=models.Index(fields=['created_at'], name='upload_key_by_age'),
        ),
        migrations.AddConstraint(
            model_name='uploadkey',
            constraint=models.UniqueConstraint(fields=('application', 'key'), name='upload_key_once'),
        ),
        migrations.AddIndex(
            model_name='densevector',
            index=pgvector.django.indexes.HnswIndex(ef_construction=64, fields=['embedding'], m=16, name='dense_hnsw', opclasses=['halfvec_cosine_ops']),
        ),
    ]
