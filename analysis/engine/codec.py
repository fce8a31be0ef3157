"""Converts frozen dataclasses to plain JSON and back, by their annotations."""

from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")
_AT = " - at `$"


class CodecError(ValueError):
    """Raised if JSON does not fit the type; the message begins with the path."""


def encode(value: Any) -> Any:
    """Convert: dataclasses become objects, tuples become arrays, enums their values."""
    return msgspec.to_builtins(value)


def decode(kind: type[T], data: Any, path: str = "") -> T:
    """Return the value of that type. Raises CodecError for a wrong type or a missing field."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _error_of(error, path or kind.__name__) from None


def decode_text(kind: type[T], text: str, path: str = "") -> T:
    """Decode JSON text like `decode`. Raises CodecError also for invalid JSON."""
    try:
        decoded: T = _decoder(cast(Hashable, kind)).decode(text)
    except msgspec.DecodeError as error:
        raise _error_of(error, path or kind.__name__) from None
    return decoded


def _error_of(error: msgspec.DecodeError, path: str) -> CodecError:
    message, _, at = str(error).partition(_AT)
    return CodecError(f"{path}{at.rstrip('`')}: {message}")


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
