"""The input and output of the API, as documented schema components."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.components import Schema, component
from accounts.inputs import InputSerializer, ListField
from accounts.pagination import Page
from documents.evidence import EvidenceChunk
from documents.injection.results import Match
from documents.metadata import BadMetadata, choice_in, metadata_in
from documents.models import DocumentState


class CollectionInput(InputSerializer):
    """A new collection. `class_number` and `subject` describe its content."""

    name = serializers.SlugField(max_length=80)
    title = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    class_number = serializers.IntegerField(
        min_value=0, max_value=100, required=False, allow_null=True, default=None
    )
    subject = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")


class CollectionChange(InputSerializer):
    """The description of a collection. Omitted members do not change."""

    title = serializers.CharField(max_length=200, required=False, allow_blank=True)
    class_number = serializers.IntegerField(
        min_value=0, max_value=100, required=False, allow_null=True
    )
    subject = serializers.CharField(max_length=120, required=False, allow_blank=True)


class CollectionOutput(Schema):
    """A collection and how much of it is indexed."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    class_number = serializers.IntegerField(allow_null=True)
    subject = serializers.CharField(allow_blank=True)
    chunk_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class CollectionList(Schema):
    """All collections of the application."""

    results = CollectionOutput(many=True)


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ChoiceField(serializers.Field[dict[str, Any], Any, Any, Any]):
    """A choice of documents by their metadata."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the choice. Raises ValidationError for what is none."""
        return _validated(choice_in, data)

    def to_representation(self, value: dict[str, Any]) -> dict[str, Any]:
        return value


def _validated(read: Callable[[Any], dict[str, Any]], value: Any) -> dict[str, Any]:
    try:
        return read(value)
    except BadMetadata as error:
        raise serializers.ValidationError(str(error), "invalid") from error


CHOICE = (
    "Only documents whose metadata have these values (of a list, any of them); `valid_on`, a date, "
    "leaves out what is valid from a later or to an earlier one."
)


class _Upload(InputSerializer):
    collection = serializers.SlugField(max_length=80)
    metadata = serializers.CharField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A JSON object of names with texts, numbers or truth values, such as `version`, "
        "`branch` or `language`; `valid_from` and `valid_to` are dates. Omitted, a file that is "
        "already there keeps what it has.",
    )

    def validate_metadata(self, value: str | None) -> dict[str, Any] | None:
        """Read the object."""
        return None if value is None else _validated(metadata_in, value)


class UploadInput(_Upload):
    """A file for a collection; one of the same name is replaced once this one is indexed."""

    file = serializers.FileField(max_length=300, allow_empty_file=True)


class BulkUploadInput(_Upload):
    """Files for a collection, each in a part `file`, and the metadata of all of them."""

    file = ListField(
        child=serializers.FileField(max_length=300, allow_empty_file=True),
        min_length=1,
        max_length=50,
        help_text="Together no larger than one file may be.",
    )


class DocumentOutput(Schema):
    """A document: `state` is queued, running, indexed or failed; `error` says what to do."""

    id = serializers.UUIDField()
    collection = serializers.CharField(source="collection.name")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=DocumentState.choices)
    error_code = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    file_type = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    metadata = serializers.DictField()
    size_bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    pages = serializers.IntegerField(allow_null=True)
    chunk_count = serializers.IntegerField()
    flagged_chunks = serializers.IntegerField(help_text="Chunks with signs of prompt injection.")
    hidden_passages = serializers.IntegerField(
        help_text="Passages that a reader of the file does not see; they are not indexed."
    )
    warnings = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    indexed_at = serializers.DateTimeField(allow_null=True)


class DocumentList(Schema):
    """The documents of an upload, in the order of the files."""

    results = DocumentOutput(many=True)


class DocumentPage(Page):
    """One page of a list; `next` and `previous` are addresses or null."""

    results = DocumentOutput(many=True)


class SearchInput(InputSerializer):
    """A query, and the collections to search."""

    query = serializers.CharField(max_length=settings.MAX_QUERY_CHARACTERS)
    collections = ListField(child=serializers.SlugField(max_length=80), min_length=1, max_length=50)
    documents = ChoiceField(required=False, allow_null=True, default=None, help_text=CHOICE)
    k = serializers.IntegerField(min_value=1, max_value=50, required=False, default=4)
    most_per_document = serializers.IntegerField(
        min_value=1,
        max_value=50,
        required=False,
        default=2,
        allow_null=True,
        help_text="The highest number of passages from one document; null for no limit.",
    )


InjectionMatch = component(
    Match,
    "One sign of an attack: its kind, its position in the passage, and its words.",
    name="InjectionMatch",
    whole=True,
    family=serializers.CharField(),
)


class InjectionOutput(Schema):
    """Signs that a text contains instructions to a model. Nothing was blocked because of them."""

    score = serializers.FloatField(help_text="From 0 to 1.")
    flagged = serializers.BooleanField()
    matches = InjectionMatch(many=True)


Passage = component(
    EvidenceChunk,
    "The verifier API's EvidenceChunk; offsets are code points into the document's text.",
    name="Passage",
    doc_id=serializers.UUIDField(),
    sent_id="The chunk's ordinal in its document, from 0.",
    total="Number of chunks in the document.",
    head="The first row of the table in which the text begins; empty elsewhere.",
    page="The page on which it begins.",
    last_page="The page on which it ends.",
    score_rerank="The cross-encoder's score; null without a cross-encoder in the settings.",
    relevance="The probability that the passage speaks of what was asked, 0-1.",
    source="Name of the file.",
    file_type="txt, md, html, csv, pdf or docx.",
    citation="File and page.",
    version="The embedding model and its quantisation.",
    injection=InjectionOutput(allow_null=True),
)


class SearchOutput(Schema):
    """The passages found, best first; empty if none is relevant to the query."""

    results = Passage(many=True)
