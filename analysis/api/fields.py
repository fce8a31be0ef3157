"""Input fields that refuse what cannot be kept as it was sent."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

_SOURCE_KEYS = {"id", "text", "title", "uri"}


class TextField(serializers.CharField):
    """A string, kept to the character: no trimming, no numbers turned into text."""

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
            {
                "type": "object",
                "required": ["text"],
                "additionalProperties": False,
                "properties": {key: {"type": "string"} for key in ("id", "text", "title", "uri")},
            },
        ]
    }
)
class SourceField(serializers.Field[Any, Any, Any, Any]):
    """A source: its text, or an object of `id`, `text`, `title` and `uri`."""

    def to_internal_value(self, data: Any) -> str | dict[str, str]:
        """Return the source as sent; raises ValidationError naming what is wrong."""
        if isinstance(data, str):
            return data
        if not isinstance(data, dict):
            raise serializers.ValidationError(
                f"Expected a string or an object with `text`, got {kind(data)}.", "wrong_type"
            )
        unknown = sorted(set(map(str, data)) - _SOURCE_KEYS)
        if unknown:
            raise serializers.ValidationError(
                f"Unknown member {unknown[0]!r}; known are id, text, title, uri.", "unknown_member"
            )
        for key, value in data.items():
            if not isinstance(value, str):
                raise serializers.ValidationError(
                    {key: f"Expected a string, got {kind(value)}."}, "wrong_type"
                )
        if "text" not in data:
            raise serializers.ValidationError({"text": "This field is required."}, "required")
        return data

    def to_representation(self, value: Any) -> Any:
        """As it was sent."""
        return value


class JSONObjectField(serializers.DictField):
    """A JSON object of any members, at most `max_bytes` as JSON."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object; raises ValidationError for any other type."""
        if not isinstance(data, dict):
            raise serializers.ValidationError(
                f"Expected an object, got {kind(data)}.", "wrong_type"
            )
        return data


def kind(value: Any) -> str:
    """JSON's name for the type of a value."""
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


def unstorable(value: Any) -> str | None:
    """Why a JSON value cannot be stored (NUL, half a surrogate pair), or None.

    Walks with its own stack, so that deep nesting cannot exhaust Python's.
    """
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                if "\x00" in text:
                    return "holds a NUL character, which cannot be stored"
                if not _is_unicode(text):
                    return "holds half a surrogate pair, which is not valid Unicode"
            case list() as items:
                waiting.extend(items)
            case dict() as members:
                waiting.extend(members.keys())
                waiting.extend(members.values())
            case _:
                pass
    return None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
