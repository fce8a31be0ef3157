"""What clients send: validated here, never looked at again."""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict

from accounts.inputs import InputSerializer, shared_fields
from analysis.engine.evidence.logprobs import LogprobsError, read_logprobs
from analysis.engine.evidence.sources import normalise
from analysis.engine.types import Action, RiskLevel, Source
from analysis.models import CheckState
from analysis.services.submission import NewCheck
from api.conversation import ConversationMessage, answer_and_question
from api.errors import field_errors, nested
from api.fields import JSONObjectField, SourceField, TextField

MAX_SAMPLES = 20
MAX_MESSAGES, MAX_MESSAGES_BYTES = 200, 500_000
MAX_CLASS, MAX_SUBJECT = 100, 120
MAX_METADATA_BYTES = 16_000
MAX_LOGPROBS_BYTES = 4_000_000


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass"))


NO_ANSWER = "This field is required unless `messages` contains the answer."

T = TypeVar("T")


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
        help_text="The answer to check; left out only where `messages` holds it. Offsets in the "
        "result count its code points.",
    )
    messages = serializers.ListField(
        child=ConversationMessage(),
        required=False,
        min_length=1,
        max_length=MAX_MESSAGES,
        help_text="A conversation instead of `answer` and `query`, oldest message first; "
        f"{MAX_MESSAGES_BYTES:,} bytes in all. The last message of the assistant is the "
        "answer, the last one of the user before it the question. A question that leans on earlier "
        'ones ("And for children?") is read behind them. What the assistant and tools said before '
        "is kept, and is no source.",
    )
    sources = serializers.ListField(
        child=SourceField(),
        required=False,
        allow_null=True,
        default=None,
        max_length=settings.MAX_SOURCES,
        help_text=f"The texts that the answer should rest on; {settings.MAX_SOURCES_BYTES:,} "
        "bytes in all. Leave it out when there are none; an empty list says that you searched and "
        "found nothing, which blocks.",
    )
    collections = serializers.ListField(
        child=TextField(max_length=120), required=False, default=list, max_length=50
    )
    scope = JSONObjectField(
        required=False,
        default=dict,
        help_text="What the question is about: `class_number` (0 to 100) and `subject`. Only "
        "collections of that class and subject are searched; where none of those that are named "
        "is, the question is out of scope. Other members are kept and not read.",
    )
    source_model = TextField(required=False, allow_blank=True, default="", max_length=200)
    metadata = JSONObjectField(required=False, default=dict)
    samples = serializers.ListField(
        child=TextField(max_length=settings.MAX_ANSWER_CHARACTERS),
        required=False,
        default=list,
        max_length=MAX_SAMPLES,
        help_text="Further answers of the same model to the same question; each claim is compared "
        f"with them. {settings.MAX_SOURCES_BYTES:,} bytes in all.",
    )
    token_logprobs = serializers.JSONField(
        required=False,
        allow_null=True,
        default=None,
        help_text="`logprobs.content` of the answer as OpenAI-compatible APIs return it: a list of "
        "`token`, `logprob`, `bytes` and `top_logprobs` (or the object that holds it as "
        "`content`). The tokens must make up the answer, but for white space at its ends.",
    )

    @property
    def fields(self) -> BindingDict:
        """Shared: a batch would copy them for each of its items."""
        return shared_fields(CheckInput)

    def validate_answer(self, value: str) -> str:
        """A blank answer contains nothing to check."""
        if not value.strip():
            raise serializers.ValidationError("This field may not be blank.", "blank")
        return value

    def validate_sources(self, value: list[Any] | None) -> list[Any] | None:
        """Bound the sources' size together."""
        size = sum(_bytes(source) for source in value or ())
        if size > settings.MAX_SOURCES_BYTES:
            raise serializers.ValidationError(
                f"{size:,} bytes in all; at most {settings.MAX_SOURCES_BYTES:,}.", "too_large"
            )
        return value

    def validate_metadata(self, value: dict[str, Any]) -> dict[str, Any]:
        """Bound the metadata."""
        return self._bounded(value, MAX_METADATA_BYTES)

    def validate_scope(self, value: dict[str, Any]) -> dict[str, Any]:
        """Bound the scope; class and subject have their types."""
        number, subject = value.get("class_number"), value.get("subject")
        if number is not None and (type(number) is not int or not 0 <= number <= MAX_CLASS):
            details: Any = {"class_number": [f"Must be a whole number from 0 to {MAX_CLASS}."]}
            raise serializers.ValidationError(details, "invalid")
        if subject is not None and (not isinstance(subject, str) or len(subject) > MAX_SUBJECT):
            details = {"subject": [f"Must be a string of at most {MAX_SUBJECT} characters."]}
            raise serializers.ValidationError(details, "invalid")
        return self._bounded(value, MAX_METADATA_BYTES)

    def validate_samples(self, value: list[str]) -> list[str]:
        """A blank sample contains nothing to compare."""
        blank = [at for at, text in enumerate(value) if not text.strip()]
        if blank:
            details: Any = {at: ["This field may not be blank."] for at in blank}
            raise serializers.ValidationError(details, "blank")
        size = _bytes(value)
        if size > settings.MAX_SOURCES_BYTES:
            raise serializers.ValidationError(
                f"{size:,} bytes in all; at most {settings.MAX_SOURCES_BYTES:,}.", "too_large"
            )
        return value

    def validate_token_logprobs(self, value: Any) -> Any:
        """Bound the log-probabilities, and hold them to their shape; kept as they were sent."""
        if value is None:
            return None
        self._bounded(value, MAX_LOGPROBS_BYTES)
        try:
            read_logprobs(value)
        except LogprobsError as error:
            raise serializers.ValidationError(nested(error.path, error.reason)) from error
        return value

    def _bounded(self, value: T, limit: int) -> T:
        if value and (size := _bytes(value)) > limit:
            raise serializers.ValidationError(
                f"{size:,} bytes as JSON; at most {limit:,}.", "too_large"
            )
        return value

    def validate_messages(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Bound the conversation."""
        return self._bounded(value, MAX_MESSAGES_BYTES)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Either an answer, or a conversation that has one."""
        if "messages" not in attrs:
            if "answer" not in attrs:
                raise serializers.ValidationError({"answer": NO_ANSWER}, "required")
            return attrs
        twice = [name for name in ("answer", "query") if attrs.get(name)]
        if twice:
            details = {name: f"Give `messages` or `{name}`, not both." for name in twice}
            raise serializers.ValidationError(details, "given_twice")
        return attrs | answer_and_question(attrs["messages"])

    def new_check(self) -> NewCheck:
        """The validated input as the service takes it."""
        return NewCheck(**self.validated_data)


class BatchInput(InputSerializer):
    """Many answers; each item is validated by itself, so that one bad item spoils no other."""

    items = serializers.ListField(
        child=serializers.JSONField(allow_null=True),
        min_length=1,
        max_length=settings.MAX_BATCH_ITEMS,
        help_text="Each as in `POST /api/v1/checks`.",
    )

    def items_or_errors(self) -> list[NewCheck | dict[str, Any]]:
        """For each item its input, or `{"errors": […]}` naming its fields."""
        return [_item(data) for data in self.validated_data["items"]]


def _item(data: Any) -> NewCheck | dict[str, Any]:
    serializer = CheckInput(data=data)
    if serializer.is_valid():
        return serializer.new_check()
    return {"errors": list(field_errors(serializer.errors))}


class AnalyzeInput(InputSerializer):
    """The risk API's request. Missing fields take their defaults, as its error table says."""

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
        """The input as a check, and what had to be left aside, in words."""
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
    description="`metadata[ticket]=4711` or `metadata.ticket=4711`: checks whose metadata has this "
    "member with this value; several must all hold. `4711`, `true` and the like also find numbers "
    "and booleans.",
)
_MEMBER = re.compile(r"metadata(?:\.(.+)|\[(.+)\])", re.DOTALL)
MOST_METADATA_FILTERS = 10


def metadata_filters(parameters: Mapping[str, str]) -> dict[str, str]:
    """The members of the metadata that are asked for. Raises ValidationError for too many."""
    filters = {
        match[1] or match[2]: value
        for name, value in parameters.items()
        if (match := _MEMBER.fullmatch(name))
    }
    if len(filters) > MOST_METADATA_FILTERS:
        raise serializers.ValidationError({"metadata": [f"At most {MOST_METADATA_FILTERS}."]})
    return filters
