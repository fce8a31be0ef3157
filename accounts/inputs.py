"""Base classes of API input: no unknown members, no text that cannot be stored."""

import math
from functools import cache
from heapq import nsmallest
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.utils.serializer_helpers import BindingDict

MOST_ERRORS = 20
"""Unknown fields, and wrong members of a list, that an error names."""
_LONGEST_NAME = 80


class StringField(serializers.CharField):
    """A string; no other type is turned into one."""

    def to_internal_value(self, data: Any) -> str:
        """Return the string; raises ValidationError for any other type."""
        if not isinstance(data, str):
            raise serializers.ValidationError(f"Expected a string, got {kind(data)}.", "wrong_type")
        return str(super().to_internal_value(data))


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


class ListField(serializers.ListField):
    """A list whose length is checked before its members, of which only some errors are reported."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """Validate length and members. Raises ValidationError."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            text = f"Ensure this field has no more than {self.max_length} elements."
            raise serializers.ValidationError(text, "max_length")
        values: list[Any] = super().to_internal_value(data)
        return values

    def run_child_validation(self, data: Any) -> list[Any]:
        values = list[Any]()
        errors: Any = {}
        for at, value in enumerate(data):
            try:
                values.append(self.child.run_validation(value))
            except serializers.ValidationError as error:
                errors[at] = error.detail
                if len(errors) == MOST_ERRORS:
                    break
        if errors:
            raise serializers.ValidationError(errors)
        return values


class InputSerializer(serializers.Serializer[Any]):
    """A body that is refused if it has unknown members or text that cannot be stored."""

    def to_internal_value(self, data: Any) -> Any:
        """Validate the members. Raises ValidationError naming each invalid one."""
        refuse_unknown_fields(self, data)
        return super().to_internal_value(data)


@cache
def shared_fields(kind: type[serializers.Serializer[Any]]) -> BindingDict:
    """Return the fields of a serializer, created once per process instead of per request.

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
    if unknown := set(map(str, data)) - set(fields):
        text = ErrorDetail(f"Unknown field. Allowed: {', '.join(fields)}.", "unknown_field")
        wrong: Any = {shortened(key): [text] for key in nsmallest(MOST_ERRORS, unknown)}
        if len(unknown) > MOST_ERRORS:
            more = f"{len(unknown) - MOST_ERRORS:,} more fields are unknown."
            wrong["non_field_errors"] = [ErrorDetail(more, "unknown_field")]
        raise serializers.ValidationError(wrong)
    if unfit := {key: [why] for key, value in data.items() if (why := storage_problem(value))}:
        raise serializers.ValidationError(unfit, "unfit_text")


def shortened(name: str) -> str:
    """Return a client's name, shortened for error messages and without half a character."""
    name = name.encode(errors="replace").decode()
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def validated(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the data validated by this serializer. Raises ValidationError."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


def storage_problem(value: Any) -> str | None:
    """Return why a JSON value cannot be stored (NUL, a lone surrogate, infinity), or None.

    Uses its own stack, so that deep nesting cannot exhaust Python's.
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
                stack += items
            case dict() as members if members:
                stack += members
                stack += members.values()
            case _:
                pass
    return None


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
