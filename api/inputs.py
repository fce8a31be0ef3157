"""The input of the API: validated here and trusted afterwards."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict

from accounts.inputs import InputSerializer, ListField, shared_fields
from analysis.engine.evidence.sources import normalise
from analysis.engine.signals.uncertainty import LogprobsError, read_logprobs
from analysis.engine.types import Action, RiskLevel, Source
from analysis.models import CheckState
from analysis.services.submission import NewCheck
from api.conversation import ConversationMessage, exchange_of
from api.errors import MOST_ERRORS_OF_ITEM, errors_of, nested
from api.fields import JSONObjectField, SourceField, TextField, bounded, json_bytes
from documents.metadata import BadMetadata, choice_in

MAX_SAMPLES = 20
MAX_MESSAGES, MAX_MESSAGES_BYTES = 200, 500_000
MAX_CLASS, MAX_SUBJECT = 100, 120
MAX_METADATA_BYTES = 16_000
MAX_LOGPROBS_BYTES = 4_000_000


T = TypeVar("T")
NO_ANSWER = "This field is required unless `messages` contains the answer."


class CheckInput(InputSerializer):
    """An answer to check."""

    query = TextField(
        required=False,
        allow_blank=True,
        default="",
        max_length=settings.MAX_QUERY_CHARACTERS,
        help_text="The question that was asked.",
    )
    answer = TextField(
        required=False,
        max_length=settings.MAX_ANSWER_CHARACTERS,
        help_text="The answer to check. Required unless `messages` contains it. Offsets in the "
        "result count its code points.",
    )
    messages = ListField(
        child=ConversationMessage(),
        required=False,
        min_length=1,
        max_length=MAX_MESSAGES,
        help_text="A conversation instead of `answer` and `query`, oldest message first; at most "
        f"{MAX_MESSAGES_BYTES:,} bytes. The assistant's last message is the answer, the user's "
        'last message before it the question. A follow-up question ("And for children?") is read '
        "together with the earlier ones. The arguments of the tools that the answer calls are part "
        "of it. What tools returned before it are its sources, unless `sources` is sent; earlier "
        "messages of the assistant are stored but do not count as sources.",
    )
    sources = ListField(
        child=SourceField(),
        required=False,
        allow_null=True,
        default=None,
        max_length=settings.MAX_SOURCES,
        help_text="The texts that should support the answer; at most "
        f"{settings.MAX_SOURCES_BYTES:,} bytes. Omit it if you have none; an empty list means that "
        "you searched and found nothing, which blocks the answer.",
    )
    collections = ListField(
        child=TextField(max_length=120), required=False, default=list, max_length=50
    )
    scope = JSONObjectField(
        max_bytes=MAX_METADATA_BYTES,
        required=False,
        default=dict,
        help_text="What the question is about: `class_number` (0 to 100) and `subject`. Only the "
        "named collections of that class and subject are searched; if there are none, the question "
        "is out of scope. `documents` chooses documents by their metadata, as in a search. Other "
        "members are stored but have no effect.",
    )
    source_model = TextField(required=False, allow_blank=True, default="", max_length=200)
    metadata = JSONObjectField(max_bytes=MAX_METADATA_BYTES, required=False, default=dict)
    samples = ListField(
        child=TextField(max_length=settings.MAX_ANSWER_CHARACTERS),
        required=False,
        default=list,
        max_length=MAX_SAMPLES,
        help_text="Other answers of the same model to the same question; each claim is compared "
        f"with them. At most {settings.MAX_SOURCES_BYTES:,} bytes.",
    )
    token_logprobs = serializers.JSONField(
        required=False,
        allow_null=True,
        default=None,
        help_text="`logprobs.content` of the answer as OpenAI-compatible APIs return it: a list of "
        "`token`, `logprob`, `bytes` and `top_logprobs` (or the object that holds it as "
        "`content`). Joined, the tokens must be the answer, except for white space at either end.",
    )

    @property
    def fields(self) -> BindingDict:
        """The fields, shared: a batch would copy them for each of its items."""
        return shared_fields(CheckInput)

    def validate_answer(self, value: str) -> str:
        """Refuse a blank answer."""
        if not value.strip():
            raise serializers.ValidationError("This field may not be blank.", "blank")
        return value

    def validate_sources(self, value: list[Any] | None) -> list[Any] | None:
        """Limit the total size of the sources."""
        return _bounded_together(value, sum(map(json_bytes, value or ())))

    def validate_scope(self, value: dict[str, Any]) -> dict[str, Any]:
        """Validate the types of class and subject."""
        number, subject = value.get("class_number"), value.get("subject")
        if number is not None and (type(number) is not int or not 0 <= number <= MAX_CLASS):
            details: Any = {"class_number": [f"Must be a whole number from 0 to {MAX_CLASS}."]}
            raise serializers.ValidationError(details, "invalid")
        if subject is not None and (not isinstance(subject, str) or len(subject) > MAX_SUBJECT):
            details = {"subject": [f"Must be a string of at most {MAX_SUBJECT} characters."]}
            raise serializers.ValidationError(details, "invalid")
        if "documents" in value:
            try:
                choice_in(value["documents"])
            except BadMetadata as error:
                details = {"documents": [str(error)]}
                raise serializers.ValidationError(details, "invalid") from error
        return value

    def validate_samples(self, value: list[str]) -> list[str]:
        """Refuse blank samples, and limit their total size."""
        blank = [at for at, text in enumerate(value) if not text.strip()]
        if blank:
            details: Any = {at: ["This field may not be blank."] for at in blank}
            raise serializers.ValidationError(details, "blank")
        return _bounded_together(value, json_bytes(value))

    def validate_token_logprobs(self, value: Any) -> Any:
        """Limit the log-probabilities and validate their shape; they are stored as sent."""
        if value is None:
            return None
        bounded(value, MAX_LOGPROBS_BYTES)
        try:
            read_logprobs(value)
        except LogprobsError as error:
            raise serializers.ValidationError(nested(error.path, error.reason)) from error
        return value

    def validate_messages(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return bounded(value, MAX_MESSAGES_BYTES)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either an answer, or a conversation that has one."""
        if "messages" not in attrs:
            if "answer" not in attrs:
                raise serializers.ValidationError({"answer": NO_ANSWER}, "required")
            return attrs
        twice = [name for name in ("answer", "query") if attrs.get(name)]
        if twice:
            details = {name: f"Send `messages` or `{name}`, not both." for name in twice}
            raise serializers.ValidationError(details, "given_twice")
        exchange = exchange_of(attrs["messages"])
        if attrs["sources"] is not None:
            exchange.pop("sources", None)
        return attrs | exchange

    def new_check(self) -> NewCheck:
        """Return the validated input as the service takes it."""
        return NewCheck(**self.validated_data)


def _bounded_together(value: T, size: int) -> T:
    if size > settings.MAX_SOURCES_BYTES:
        raise serializers.ValidationError(
            f"Has {size:,} bytes in all; at most {settings.MAX_SOURCES_BYTES:,} are allowed.",
            "too_large",
        )
    return value


class BatchInput(InputSerializer):
    """Many answers. Each item is validated on its own; an invalid one does not affect others."""

    items = ListField(
        child=serializers.JSONField(allow_null=True),
        min_length=1,
        max_length=settings.MAX_BATCH_ITEMS,
        help_text="Each item is the body of a `POST /api/v1/checks`.",
    )

    def items_or_errors(self) -> list[NewCheck | dict[str, Any]]:
        """Return each item's input, or `{"errors": […]}` naming its fields."""
        return [_item(data) for data in self.validated_data["items"]]


def _item(data: Any) -> NewCheck | dict[str, Any]:
    serializer = CheckInput(data=data)
    if serializer.is_valid():
        return serializer.new_check()
    return {"errors": errors_of(serializer.errors, MOST_ERRORS_OF_ITEM)}


class AnalyzeInput(InputSerializer):
    """The risk API's request. Missing fields take their defaults."""

    prompt = TextField(required=False, allow_blank=True, allow_null=True, default="")
    llm_response = TextField(
        required=False,
        allow_blank=True,
        allow_null=True,
        default="",
        max_length=settings.MAX_ANSWER_CHARACTERS,
    )
    rag_results = serializers.JSONField(required=False, allow_null=True, default=None)

    def new_check(self) -> tuple[NewCheck, list[str]]:
        """Return the input as a check, and warnings about ignored parts."""
        data = self.validated_data
        sources, warnings = normalise(data["rag_results"])
        new = NewCheck(
            answer=data["llm_response"],
            query=data["prompt"] or "",
            sources=None if sources is None else [_source_data(source) for source in sources],
        )
        return new, warnings


def _source_data(source: Source) -> dict[str, str]:
    members = {"id": source.source_id, "text": source.text}
    return members | {"title": source.title, "uri": source.uri}


class CheckFilters(serializers.Serializer[Any]):
    """The filters of the list of checks."""

    state = serializers.ChoiceField(choices=CheckState.choices, required=False)
    action = serializers.ChoiceField(choices=[str(a) for a in Action], required=False)
    risk_level = serializers.ChoiceField(choices=[str(x) for x in RiskLevel], required=False)
    source_model = serializers.CharField(required=False, max_length=200)
    batch = serializers.UUIDField(required=False)
    created_after = serializers.DateTimeField(required=False)
    created_before = serializers.DateTimeField(required=False)


METADATA = OpenApiParameter(
    "metadata",
    {"type": "object", "additionalProperties": {"type": "string"}},
    style="deepObject",
    explode=True,
    description="`metadata[ticket]=4711` or `metadata.ticket=4711`: only checks with this value in "
    "their metadata. If you send several, all must match. `4711` and `true` also match the number "
    "and the boolean.",
)
_MEMBER = re.compile(r"metadata(?:\.(.+)|\[(.+)\])", re.DOTALL)
MOST_METADATA_FILTERS = 10


def metadata_filters(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the metadata members to filter by. Raises ValidationError for too many."""
    filters = {
        match[1] or match[2]: value
        for name, value in parameters.items()
        if (match := _MEMBER.fullmatch(name))
    }
    if len(filters) > MOST_METADATA_FILTERS:
        raise serializers.ValidationError(
            {"metadata": [f"At most {MOST_METADATA_FILTERS} filters."]}
        )
    return filters
