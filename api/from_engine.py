"""Schema components from the engine's dataclasses, so that a new member is written once."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from enum import EnumMeta
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from rest_framework import serializers

from api.schema_fields import Schema, choices

_PLAIN: Mapping[Any, type[serializers.Field[Any, Any, Any, Any]]] = {
    bool: serializers.BooleanField,
    float: serializers.FloatField,
    int: serializers.IntegerField,
    str: serializers.CharField,
}


def component(
    kind: type,
    doc: str,
    *,
    parts: Mapping[type, type[Schema]] | None = None,
    required: Collection[str] | None = None,
    **help_texts: str,
) -> type[Schema]:
    """A component with the members of a dataclass; those without a default are required.

    `parts` are the components of the dataclasses in it, `required` the members that are required
    where the defaults do not say so; the others come after them. Raises TypeError where a member is
    explained that there is not.
    """
    hints = get_type_hints(kind)
    if unknown := help_texts.keys() - hints.keys():
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    first = _without_default(kind) if required is None else required
    members = {
        name: _field(
            hints[name],
            parts or {},
            **({} if name in first else {"required": False}),
            **({"help_text": help_texts[name]} if name in help_texts else {}),
        )
        for name in sorted(hints, key=lambda name: name not in first)
    }
    return type(kind.__name__, (Schema,), {"__doc__": doc, "__module__": __name__, **members})


def _without_default(kind: Any) -> list[str]:
    return [item.name for item in fields(kind) if not _has_default(item)]


def _has_default(item: "Field[Any]") -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _field(hint: Any, parts: Mapping[type, type[Schema]], **options: Any) -> Any:
    """The field for a type: plain ones, enums, parts, tuples and lists of them, and None."""
    kinds = set(_kinds(hint))
    if NoneType in kinds:
        options["allow_null"] = True
    (kind,) = kinds - {NoneType}
    if get_origin(kind) is tuple:
        (item,) = set(get_args(kind)) - {Ellipsis, int} or {int}
        if item in parts:
            return parts[item](many=True, **options)
        return serializers.ListField(child=_field(item, parts), **options)
    if kind in parts:
        return parts[kind](**options)
    if isinstance(kind, EnumMeta):
        return choices(kind, **options)
    return _PLAIN[kind](**options)


def _kinds(hint: Any) -> Iterator[Any]:
    """The alternatives of a union, or the type itself."""
    is_union = get_origin(hint) not in (None, tuple)
    yield from get_args(hint) if is_union else (hint,)
