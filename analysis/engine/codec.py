"""Frozen dataclasses to plain JSON and back, by their annotations.

A field that was added later has a default, and JSON of before it is read with that default.
"""

import types
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


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
    decoded: T = _decode(kind, data, path or kind.__name__)
    return decoded


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _required(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if not _has_default(field))


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _decode(kind: Any, data: Any, path: str) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _decode_union(kind, data, path)
    if origin is tuple:
        return _decode_tuple(get_args(kind), data, path)
    if origin is dict:
        _expect(isinstance(data, dict), path, "an object", data)
        inner = get_args(kind)[1]
        return {key: _decode(inner, item, f"{path}.{key}") for key, item in data.items()}
    if is_dataclass(kind):
        return _decode_object(kind, data, path)
    return _decode_plain(kind, data, path)


def _decode_union(kind: Any, data: Any, path: str) -> Any:
    choices = [choice for choice in get_args(kind) if choice is not types.NoneType]
    if data is None and len(choices) < len(get_args(kind)):
        return None
    return _decode(choices[0], data, path)


def _decode_tuple(inner: tuple[Any, ...], data: Any, path: str) -> tuple[Any, ...]:
    _expect(isinstance(data, (list, tuple)), path, "an array", data)
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_decode(inner[0], item, f"{path}[{at}]") for at, item in enumerate(data))
    _expect(len(data) == len(inner), path, f"{len(inner)} items", data)
    pairs = zip(inner, data, strict=True)
    return tuple(_decode(kind, item, f"{path}[{at}]") for at, (kind, item) in enumerate(pairs))


def _decode_object(kind: Any, data: Any, path: str) -> Any:
    _expect(isinstance(data, dict), path, "an object", data)
    hints = _hints(kind)
    missing = [name for name in _required(kind) if name not in data]
    if missing:
        raise CodecError(f"{path}: lacks {', '.join(missing)}")
    given = [name for name in _names(kind) if name in data]
    return kind(**{name: _decode(hints[name], data[name], f"{path}.{name}") for name in given})


def _decode_plain(kind: Any, data: Any, path: str) -> Any:
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError as error:
            raise CodecError(f"{path}: {error}") from None
    if kind is float:
        _expect(isinstance(data, (int, float)) and data is not True, path, "a number", data)
        return data
    wrong_bool = isinstance(data, bool) and kind is not bool
    _expect(isinstance(data, kind) and not wrong_bool, path, kind.__name__, data)
    return data


def _expect(holds: bool, path: str, wanted: str, data: Any) -> None:
    if not holds:
        raise CodecError(f"{path}: expected {wanted}, got {type(data).__name__}")
