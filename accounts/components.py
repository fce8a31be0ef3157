"""Makes schema components from dataclasses and named tuples, so that members are declared once."""

from collections.abc import Collection, Iterator
from copy import deepcopy
from datetime import UTC, date, datetime
from enum import EnumMeta
from inspect import Parameter, signature
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

from rest_framework import serializers

Schema = serializers.Serializer[Any]
Field = serializers.Field[Any, Any, Any, Any]
_PLAIN: dict[Any, type[Field]] = {
    bool: serializers.BooleanField,
    float: serializers.FloatField,
    int: serializers.IntegerField,
    str: serializers.CharField,
    UUID: serializers.UUIDField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}
_PARTS: dict[Any, type[Schema]] = {}
"""The component of each dataclass that one has been made of."""


class UTCField(serializers.DateTimeField):
    """A time, written in UTC whatever `TIME_ZONE` is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)


def choices(values: Any, **options: Any) -> serializers.ChoiceField:
    """Return a choice field for the values of an enum."""
    return serializers.ChoiceField(choices=[str(v) for v in values], **options)


def component(
    dataclass: type,
    doc: str,
    /,
    *,
    name: str = "",
    required: Collection[str] | None = None,
    whole: bool = False,
    **members: str | Field,
) -> type[Schema]:
    """Return a component with the members of a dataclass; those with a default are optional.

    Dataclasses in it need a component of their own first. `required` are the members that are
    always present if the defaults do not say so (the others follow them); `whole`: all are.
    `members` explain some, replace their fields, or are fields that the dataclass lacks. Raises
    TypeError for an explanation of an unknown member.
    """
    hints = get_type_hints(dataclass)
    further = {member: field for member, field in members.items() if member not in hints}
    if unknown := [member for member, field in further.items() if isinstance(field, str)]:
        raise TypeError(f"{dataclass.__name__} has no {', '.join(sorted(unknown))}")
    first = hints.keys() if whole else _without_default(dataclass) if required is None else required
    fields = {
        member: _member(hints[member], members.get(member), is_required=member in first)
        for member in sorted(hints, key=lambda member: member not in first)
    }
    body = {"__doc__": doc, "__module__": __name__, **fields, **deepcopy(further)}
    _PARTS[dataclass] = type(name or dataclass.__name__, (Schema,), body)
    return _PARTS[dataclass]


def _without_default(kind: type) -> list[str]:
    members = signature(kind).parameters.items()
    return [name for name, member in members if member.default is Parameter.empty]


def _member(hint: Any, explanation: str | Field | None, *, is_required: bool) -> Any:
    if isinstance(explanation, serializers.Field):
        return deepcopy(explanation)  # a copy, so that it keeps its place in the order
    options = {"help_text": explanation} if explanation else {}
    return _field(hint, **options, **({} if is_required else {"required": False}))


def _field(hint: Any, **options: Any) -> Any:
    """Return the field for a type: plain, enum, component, tuple or map, optionally None."""
    kinds = set(_kinds(hint))
    if NoneType in kinds:
        options["allow_null"] = True
    (kind,) = kinds - {NoneType}
    if get_origin(kind) is tuple:
        (item,) = set(get_args(kind)) - {Ellipsis, int} or {int}
        if item in _PARTS:
            return _PARTS[item](many=True, **options)
        return serializers.ListField(child=_field(item), **options)
    if get_origin(kind) is dict:
        value = get_args(kind)[1]
        child = {} if value is Any else {"child": _field(value)}
        return serializers.DictField(**child, **options)
    if kind in _PARTS:
        return _PARTS[kind](**options)
    if isinstance(kind, EnumMeta):
        return choices(kind, **options)
    return _PLAIN[kind](**options)


def _kinds(hint: Any) -> Iterator[Any]:
    """Yield the alternatives of a union, or the type itself."""
    is_union = get_origin(hint) not in (None, tuple, dict)
    yield from get_args(hint) if is_union else (hint,)
