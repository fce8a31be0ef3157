"""What every input of the API has in common: nothing unknown, nothing that cannot be stored."""

import math
from functools import cache
from typing import Any

from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict


class InputSerializer(serializers.Serializer[Any]):
    """A body that is refused where it has unknown members or text that cannot be stored."""

    def to_internal_value(self, data: Any) -> Any:
        """Raises ValidationError naming each such member."""
        refuse_unknown_fields(self, data)
        return super().to_internal_value(data)


@cache
def shared_fields(kind: type[serializers.Serializer[Any]]) -> BindingDict:
    """The fields of a serializer, made once a process instead of copied for each request.

    Only for a serializer whose fields read neither its context nor its data: all threads share
    them, bound to an instance that has none.
    """
    template = kind()
    fields = BindingDict(template)
    for name, field in template.get_fields().items():
        fields[name] = field
    return fields


def refuse_unknown_fields(serializer: serializers.Serializer[Any], data: Any) -> None:
    """Raise ValidationError for fields that are unknown and values that cannot be stored."""
    if not hasattr(data, "keys"):
        return
    fields = serializer.fields
    wrong = {
        key: [f"Unknown field. Allowed: {', '.join(fields)}."]
        for key in sorted(set(map(str, data)) - set(fields))
    } or {key: [why] for key, value in data.items() if (why := storage_problem(value))}
    if wrong:
        raise serializers.ValidationError(wrong)


def validated(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """The data as this kind of input reads it. Raises ValidationError."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


def storage_problem(value: Any) -> str | None:
    """Why a JSON value cannot be stored (NUL, half a surrogate pair, infinity), or None.

    Walks with its own stack, so that deep nesting cannot exhaust Python's.
    """
    stack = [value]
    while stack:
        match stack.pop():
            case str() as text:
                if "\x00" in text:
                    return "Contains a NUL character, which cannot be stored."
                if not _is_unicode(text):
                    return "Contains half a surrogate pair, which is not valid Unicode."
            case float() as number if not math.isfinite(number):
                return "Contains a number that is too large."
            case list() as items:
                stack.extend(items)
            case dict() as members:
                stack.extend(members.keys())
                stack.extend(members.values())
            case _:
                pass
    return None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
