"""Frozen dataclasses to plain JSON and back, by their annotations."""

from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")
_AT = " - at `$"


class CodecError(ValueError):
    """JSON that does not fit the type; the message begins with the path."""


def encode(value: Any) -> Any:
    """Dataclasses become objects, tuples become arrays, enums their values."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {name: encode(getattr(value, name)) for name in _names(value.__class__)}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    return value


def decode(kind: type[T], data: Any, path: str = "") -> T:
    """The value of that type; CodecError for a wrong type or a missing field without default."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _told(error, path or kind.__name__) from None


def decode_text(kind: type[T], text: str, path: str = "") -> T:
    """As `decode`, from JSON as text; CodecError also for what is no JSON."""
    try:
        found: T = _decoder(cast(Hashable, kind)).decode(text)
    except msgspec.DecodeError as error:
        raise _told(error, path or kind.__name__) from None
    return found


def _told(error: msgspec.DecodeError, path: str) -> CodecError:
    said, _, at = str(error).partition(_AT)
    return CodecError(f"{path}{at.rstrip('`')}: {said}")


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
