"""Tables of collections, documents, chunks, and the two indexes that retrieval reads.

Vectors are in narrow tables of their own, so that a scan reads nothing else. Chunks are written in
the transaction that marks their document `indexed`: whatever can be found is complete.
"""

from uuid import UUID

import uuid_utils.compat as uuid
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField, HnswIndex, SparseVectorField

from accounts.models import Application
from documents.lexical import TERM_DIMENSIONS
from lib.workqueue.models import LeasedModel

DIMENSIONS = 384
MAX_HASH = 64


def embedding_model() -> str:
    """Return the embedding model of new collections."""
    return str(settings.EMBEDDING_MODEL)


class Collection(models.Model):
    """Documents that belong together and are searched together.

    `average_length` (tokens) is BM25's average chunk length, constant so that a chunk's weights
    never change once written. `counted_chunks`: the number of chunks when the terms were counted.
    `embedding_model` embeds its chunks and queries; `manage.py reembed` changes it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="collections"
    )
    name = models.SlugField(max_length=80)
    title = models.CharField(max_length=200, blank=True)
    class_number = models.PositiveSmallIntegerField(null=True, blank=True)
    subject = models.CharField(max_length=120, blank=True)
    embedding_model = models.CharField(max_length=300, default=embedding_model, editable=False)
    average_length = models.FloatField(default=40.0)
    chunk_count = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    changed_at = models.DateTimeField(db_default=Now(), editable=False)
    terms_counted_at = models.DateTimeField(null=True, editable=False)
    counted_chunks = models.PositiveIntegerField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "name"], name="collection_name_once_per_application"
            ),
            models.CheckConstraint(
                condition=Q(average_length__gt=0), name="collection_average_length_positive"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class DocumentState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    INDEXED = "indexed", _("Indexed")
    FAILED = "failed", _("Failed")


class Document(LeasedModel):
    """One uploaded file, and the work of indexing it.

    `hidden_text`: prose invisible to readers, and how it is hidden. `injection_rules`: the version
    of the rules that scanned its chunks.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid7, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=MAX_HASH)
    size_bytes = models.PositiveBigIntegerField()
    uploaded_by = models.CharField(max_length=200)
    metadata = models.JSONField(blank=True, default=dict, db_default={})
    created_at = models.DateTimeField(db_default=Now())

    state = models.CharField(
        max_length=7, choices=DocumentState, default=DocumentState.QUEUED, db_default="queued"
    )
    error_code = models.CharField(max_length=40, blank=True, db_default="")
    error = models.CharField(max_length=500, blank=True, db_default="")

    file_type = models.CharField(max_length=10, blank=True, db_default="")
    title = models.CharField(max_length=300, blank=True, db_default="")
    text = models.TextField(blank=True, db_default="")
    pages = models.PositiveIntegerField(null=True)
    chunk_count = models.PositiveIntegerField(default=0, db_default=0)
    warnings = models.JSONField(default=list)
    hidden_text = models.JSONField(default=list)
    hidden_passages = models.PositiveIntegerField(default=0, db_default=0)
    flagged_chunks = models.PositiveIntegerField(default=0, db_default=0)
    injection_rules = models.CharField(max_length=16, blank=True, db_default="")
    indexed_at = models.DateTimeField(null=True)

    class Meta(LeasedModel.Meta):
        indexes = [
            *LeasedModel.Meta.indexes,
            models.Index(fields=["collection", "-id"], name="document_by_collection"),
        ]
        constraints = [
            *LeasedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["collection", "name"],
                condition=Q(state="indexed"),
                name="document_indexed_once_per_name",
            ),
            models.CheckConstraint(
                condition=Q(state__in=DocumentState.values), name="document_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="indexed", indexed_at__isnull=False, chunk_count__gt=0)
                | (~Q(state="indexed") & Q(indexed_at__isnull=True, chunk_count=0)),
                name="document_chunks_only_when_indexed",
            ),
            models.CheckConstraint(
                condition=(Q(state="failed") & ~Q(error_code="") & ~Q(error=""))
                | ~Q(state="failed"),
                name="document_failure_says_why",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def application_id(self) -> UUID:
        """The application that the document's collection belongs to."""
        return self.collection.application_id


class DocumentFile(models.Model):
    """The uploaded bytes, beside the document so that lists never read them."""

    document = models.OneToOneField(
        Document, primary_key=True, on_delete=models.CASCADE, related_name="file"
    )
    data = models.BinaryField()


class UploadKey(models.Model):
    """A client's `Idempotency-Key` for an upload: the file it named, and its document.

    It outlives the document: a late repetition must not restore what was replaced or deleted.
    """

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    request_sha256 = models.CharField(max_length=MAX_HASH)
    made_id = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="upload_key_by_age")]
        constraints = [
            models.UniqueConstraint(fields=["application", "key"], name="upload_key_once")
        ]


class Chunk(models.Model):
    """A passage of a document: `text == document.text[start:end]`, in code points.

    It begins on `page` and ends on `last_page`, if its document has pages. `head` is the first row
    of a table in which it begins: it is indexed and read with it.
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="chunks")
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="+")
    ordinal = models.PositiveIntegerField()
    total = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    last_page = models.PositiveIntegerField(null=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    head = models.TextField(blank=True, db_default="")
    text = models.TextField()
    injection = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["document", "ordinal"], name="chunk_ordinal_once_per_document"
            ),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="chunk_span_ordered"),
            models.CheckConstraint(
                condition=Q(ordinal__lt=F("total")), name="chunk_ordinal_in_total"
            ),
        ]


class DenseVector(models.Model):
    """A chunk's embedding (unit length); `model` names the model and its quantisation."""

    chunk = models.OneToOneField(
        Chunk, primary_key=True, on_delete=models.CASCADE, related_name="dense"
    )
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="+")
    model = models.CharField(max_length=160)
    embedding = HalfVectorField(dimensions=DIMENSIONS)

    class Meta:
        indexes = [
            HnswIndex(
                name="dense_hnsw",
                fields=["embedding"],
                m=16,
                ef_construction=64,
                opclasses=["halfvec_cosine_ops"],
            )
        ]


class NextVector(models.Model):
    """A chunk's embedding by its collection's next model; not searched."""

    chunk = models.OneToOneField(
        Chunk, primary_key=True, on_delete=models.CASCADE, related_name="next"
    )
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="+")
    model = models.CharField(max_length=160)
    embedding = HalfVectorField(dimensions=DIMENSIONS)


class LexicalVector(models.Model):
    """A chunk's terms: `lexemes` to gather candidates, `weights` (BM25 without IDF) to score.

    `lexemes` has the chunk's terms and one lexeme naming its collection, for scopes that are a
    small part of all chunks; for larger ones `collection_id` is compared.
    """

    chunk = models.OneToOneField(
        Chunk, primary_key=True, on_delete=models.CASCADE, related_name="lexical"
    )
    collection_id = models.UUIDField()
    lexemes = SearchVectorField()
    weights = SparseVectorField(dimensions=TERM_DIMENSIONS)

    class Meta:
        indexes = [GinIndex(name="lexical_gin", fields=["lexemes"], fastupdate=False)]


class TermStatistic(models.Model):
    """The number of a collection's chunks with a term; refreshed by a task, read for IDF."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="+")
    term = models.CharField(max_length=80)
    chunk_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "term"], name="term_once_per_collection")
        ]
