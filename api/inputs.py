"""The input of the API: validated here and trusted afterwards."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict

from accounts.inputs import (
    InputSerializer,
    ListField,
    StringField,
    kind,
    shared_fields,
    shortened,
)
from analysis.engine.conversation import Role, last_answer, tool_results, turns_of
from analysis.engine.evidence.records import unfit
from analysis.engine.evidence.sources import normalise
from analysis.engine.signals.uncertainty import LogprobsError, read_logprobs
from analysis.engine.types import Action, RiskLevel, Source
from analysis.models import CheckState
from analysis.services.submission import NewCheck
from documents.metadata import BadMetadata, choice_in

# Input fields that refuse what cannot be stored exactly as sent.

T = TypeVar("T")
_TEXT_KEYS = ("id", "text", "title", "uri")
_SOURCE_KEYS = (*_TEXT_KEYS, "record")


def _source_schema(member: str, schema: dict[str, Any]) -> dict[str, Any]:
    names = {key: {"type": "string"} for key in ("id", "title", "uri")}
    return {
        "type": "object",
        "required": [member],
        "additionalProperties": False,
        "properties": {**names, member: schema},
    }


class TextField(StringField):
    """A string, stored unchanged: no trimming."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            _source_schema("text", {"type": "string"}),
            _source_schema(
                "record",
                {
                    "oneOf": [
                        {"type": "object", "additionalProperties": {}},
                        {"type": "array", "items": {}},
                    ],
                    "description": "A JSON object, or an array of objects or arrays (a table). It "
                    "is read as sentences that name their key path; evidence from it has that "
                    "`path`.",
                },
            ),
        ]
    }
)
class SourceField(serializers.Field[Any, Any, Any, Any]):
    """A source: its text, or an object with `text` or `record`, and `id`, `title`, `uri`."""

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        """Return the source as sent; raises ValidationError naming what is wrong."""
        if isinstance(data, str):
            return data
        if not isinstance(data, dict):
            raise serializers.ValidationError(
                f"Expected a string or an object with `text` or `record`, got {kind(data)}.",
                "wrong_type",
            )
        if unknown := set(map(str, data)) - set(_SOURCE_KEYS):
            text = ", ".join(_SOURCE_KEYS)
            raise serializers.ValidationError(
                f"Unknown member {shortened(min(unknown))!r}. Allowed: {text}.", "unknown_member"
            )
        for key in _TEXT_KEYS:
            if key in data and not isinstance(data[key], str):
                raise serializers.ValidationError(
                    {key: f"Expected a string, got {kind(data[key])}."}, "wrong_type"
                )
        if "text" not in data and "record" not in data:
            raise serializers.ValidationError({"text": "This field is required."}, "required")
        if "text" in data and "record" in data:
            raise serializers.ValidationError(
                {"record": "Send `text` or `record`, not both."}, "text_and_record"
            )
        if "record" in data and (why := unfit(data["record"])):
            raise serializers.ValidationError({"record": why}, "unfit_record")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class JSONObjectField(serializers.DictField):
    """A JSON object with any members, of at most `max_bytes` as JSON."""

    def __init__(self, *, max_bytes: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_bytes = max_bytes

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object. Raises ValidationError for another type, and for one too large."""
        if not isinstance(data, dict):
            raise serializers.ValidationError(
                f"Expected an object, got {kind(data)}.", "wrong_type"
            )
        return data if self.max_bytes is None else bounded(data, self.max_bytes)


def bounded(value: T, limit: int) -> T:
    """Return the value. Raises ValidationError if its JSON is larger than `limit` bytes."""
    size = json_bytes(value)
    if size > limit:
        raise serializers.ValidationError(
            f"Has {size:,} bytes as JSON; at most {limit:,} are allowed.", "too_large"
        )
    return value


def json_bytes(value: Any) -> int:
    """Return the length of a value as JSON in UTF-8."""
    return len(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass"))


# Errors of an input, field by field.

MOST_ERRORS, MOST_ERRORS_OF_ITEM = 50, 5
"""That one response names, and of each item of a batch."""
_PART = re.compile(r"[^.\[\]]+")


def errors_of(detail: Any, most: int = MOST_ERRORS) -> list[dict[str, str]]:
    """Return the first errors, and the number of further ones."""
    errors = field_errors(detail)
    first_errors = list(islice(errors, most))
    if more := sum(1 for _ in errors):
        first_errors.append(
            {"field": "", "detail": f"{more:,} more errors.", "code": "more_errors"}
        )
    return first_errors


def field_errors(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested details into `{"field": "sources[2].text", "detail", "code"}`."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from field_errors(value, _join(path, key))
    elif isinstance(detail, list):
        for number, value in enumerate(detail):
            inner = path if isinstance(value, str) else f"{path}[{number}]"
            yield from field_errors(value, inner)
    else:
        yield {"field": path, "detail": str(detail), "code": getattr(detail, "code", "invalid")}


def nested(path: str, reason: str) -> Any:
    """Return DRF's details for one error at a path: `a[2].b` gives {"a": {2: {"b": [reason]}}}."""
    details: Any = [reason]
    for part in reversed(_PART.findall(path)):
        details = {int(part) if part.isdigit() else part: details}
    return details


def _join(path: str, key: Any) -> str:
    if key == "non_field_errors":
        return path
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)


# `messages`: a conversation that contains the answer to check and its question.

_LONGEST_NAME, _MOST_CALLS = 200, 128


class ToolFunction(InputSerializer):
    """The function that a tool call names."""

    name = TextField(max_length=_LONGEST_NAME)
    arguments = TextField(allow_blank=True)


class ToolCall(InputSerializer):
    """One call of a tool, as OpenAI-compatible APIs return it."""

    id = TextField(required=False, max_length=_LONGEST_NAME)
    type = TextField(required=False, max_length=_LONGEST_NAME)
    function = ToolFunction()


class ConversationMessage(InputSerializer):
    """One message of a conversation."""

    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    content = TextField(allow_blank=True, allow_null=True)
    name = TextField(required=False, max_length=_LONGEST_NAME)
    tool_call_id = TextField(required=False, max_length=_LONGEST_NAME)
    tool_calls = ListField(child=ToolCall(), required=False, max_length=_MOST_CALLS)

    def validate_content(self, value: str | None) -> str:
        """Return "" for null, the content of messages that only call tools."""
        return value or ""


def exchange_of(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a conversation's answer, question and the tool results before the answer.

    Raises ValidationError if the assistant says nothing, or more than a check accepts.
    """
    turns = turns_of(messages)
    exchange = last_answer(turns, settings.MAX_QUERY_CHARACTERS)
    if exchange is None:
        raise _wrong("messages", "No message is from the assistant, so there is nothing to check.")
    where = f"messages[{exchange.at}].content"
    if not exchange.answer.strip():
        raise _wrong(where, "The assistant's last message is empty, so there is nothing to check.")
    _check_length(where, exchange.answer, settings.MAX_ANSWER_CHARACTERS)
    if exchange.question:
        _check_length(
            f"messages[{exchange.asked_at}].content",
            exchange.question,
            settings.MAX_QUERY_CHARACTERS,
        )
    sources = tool_results(turns[: exchange.at])
    if not messages[exchange.at]["content"].strip():
        # Arguments alone may also repeat what people and the application wrote.
        people = (Role.SYSTEM, Role.DEVELOPER, Role.USER)
        sources += [
            turn.content for turn in turns[: exchange.at]
            if turn.role in people and turn.content.strip()
        ]  # fmt: skip
    members = {"sources": sources} if sources else {}
    return {"answer": exchange.answer, "query": exchange.question, **members}


def _check_length(where: str, text: str, most: int) -> None:
    if len(text) > most:
        raise _wrong(where, f"Has {len(text):,} characters; at most {most:,} are allowed.")


def _wrong(where: str, why: str) -> serializers.ValidationError:
    return serializers.ValidationError(nested(where, why))


MAX_SAMPLES = 20
MAX_MESSAGES, MAX_MESSAGES_BYTES = 200, 500_000
MAX_CLASS, MAX_SUBJECT = 100, 120
MAX_METADATA_BYTES = 16_000
MAX_LOGPROBS_BYTES = 4_000_000


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
        "of it, and names in them that no message and no source has warn (`unknown_names`). What "
        "tools returned before it are its sources, and for an answer that only calls tools also "
        "what people and the application wrote, unless `sources` is sent; earlier messages of the "
        "assistant are stored but do not count as sources.",
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
        inputs = (CheckInput(data=data) for data in self.validated_data["items"])
        return [
            item.new_check()
            if item.is_valid()
            else {"errors": errors_of(item.errors, MOST_ERRORS_OF_ITEM)}
            for item in inputs
        ]


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
    return {"id": source.source_id, "text": source.text, "title": source.title, "uri": source.uri}


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
