"""Input fields that refuse what cannot be stored exactly as sent."""

import json
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.inputs import shortened
from analysis.engine.evidence.records import unfit

T = TypeVar("T")
_TEXT_KEYS = ("id", "text", "title", "uri")
_SOURCE_KEYS = (*_TEXT_KEYS, "record")
_NAMED = {key: {"type": "string"} for key in ("id", "title", "uri")}


def _source_schema(member: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [member],
        "additionalProperties": False,
        "properties": {**_NAMED, member: schema},
    }


class TextField(serializers.CharField):
    """A string, stored unchanged: no trimming, no numbers turned into text."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the string; raises ValidationError for any other type."""
        if not isinstance(data, str):
            raise serializers.ValidationError(f"Expected a string, got {kind(data)}.", "wrong_type")
        return str(super().to_internal_value(data))


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
        _check_members(data)
        if "record" in data and (why := unfit(data["record"])):
            raise serializers.ValidationError({"record": why}, "unfit_record")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


def _check_members(data: dict[Any, Any]) -> None:
    """Raise ValidationError for unknown, missing, too many or non-string members."""
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


def kind(value: Any) -> str:
    """Return JSON's name for the type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"
