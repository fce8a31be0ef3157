"""Frozen dataclasses to plain JSON and back, by their annotations.

A field that was added later has a default, and JSON of before it is read with that default. How a
type is read is worked out once: a replay reads tens of thousands of claims.
"""

import types
from collections.abc import Callable, Hashable
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
_Reader = Callable[[Any], Any]


class CodecError(ValueError):
    """JSON that does not fit the type; the message begins with the path."""

    def __init__(self, told: str, path: str = "") -> None:
        super().__init__(f"{path}: {told}" if path else told)
        self.told = told
        self.path = path

    def below(self, part: str) -> "CodecError":
        """The same error as seen from one level above."""
        return CodecError(self.told, part + self.path)


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
    read: _Reader = _reader(cast(Hashable, kind))
    try:
        decoded: T = read(data)
    except CodecError as error:
        raise error.below(path or kind.__name__) from None
    return decoded


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


@cache
def _reader(kind: Any) -> _Reader:
    """The function that reads JSON as that type."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _union_reader(kind)
    if origin is tuple:
        return _tuple_reader(get_args(kind))
    if origin is dict:
        return _dict_reader(get_args(kind)[1])
    if is_dataclass(kind):
        return _object_reader(kind)
    if kind is Any:
        return lambda data: data
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    return _plain_reader(kind)


def _union_reader(kind: Any) -> _Reader:
    choices = [choice for choice in get_args(kind) if choice is not types.NoneType]
    inner = _reader(choices[0])
    if len(choices) == len(get_args(kind)):
        return inner
    return lambda data: None if data is None else inner(data)


def _tuple_reader(inner: tuple[Any, ...]) -> _Reader:
    if len(inner) == 2 and inner[1] is Ellipsis:
        one = _reader(inner[0])

        def read_all(data: Any) -> tuple[Any, ...]:
            _expect(isinstance(data, (list, tuple)), "an array", data)
            return tuple([_item(one, item, at) for at, item in enumerate(data)]) if data else ()

        return read_all
    readers = [_reader(kind) for kind in inner]

    def read(data: Any) -> tuple[Any, ...]:
        _expect(isinstance(data, (list, tuple)), "an array", data)
        _expect(len(data) == len(readers), f"{len(readers)} items", data)
        pairs = zip(readers, data, strict=True)
        return tuple(_item(one, item, at) for at, (one, item) in enumerate(pairs))

    return read


def _item(read: _Reader, data: Any, at: int) -> Any:
    try:
        return read(data)
    except CodecError as error:
        raise error.below(f"[{at}]") from None


def _dict_reader(inner: Any) -> _Reader:
    one = _reader(inner)

    def read(data: Any) -> dict[str, Any]:
        _expect(isinstance(data, dict), "an object", data)
        return {key: _member(one, item, key) for key, item in data.items()}

    return read


def _member(read: _Reader, data: Any, name: str) -> Any:
    try:
        return read(data)
    except CodecError as error:
        raise error.below(f".{name}") from None


def _object_reader(kind: Any) -> _Reader:
    hints = get_type_hints(kind)
    plan = [(f.name, _at_once(hints[f.name]), _reader(hints[f.name])) for f in fields(kind)]
    required = [field.name for field in fields(kind) if not _has_default(field)]
    needed = frozenset(required)

    def read(data: Any) -> Any:
        _expect(isinstance(data, dict), "an object", data)
        if not needed <= data.keys():
            missing = [name for name in required if name not in data]
            raise CodecError(f"lacks {', '.join(missing)}")
        given, name = {}, ""
        try:
            for name, plain, one in plan:
                if name in data:
                    value = data[name]
                    given[name] = value if value.__class__ in plain else one(value)
        except CodecError as error:
            raise error.below(f".{name}") from None
        return kind(**given)

    return read


def _at_once(kind: Any) -> frozenset[type]:
    """The classes whose values stand for themselves, so that no reader need be called."""
    if get_origin(kind) in (Union, types.UnionType):
        choices = get_args(kind)
        inner = _at_once(choices[0])
        return inner | {types.NoneType} if types.NoneType in choices else inner
    if kind is float:
        return frozenset({int, float})
    return frozenset({kind}) if kind in (str, int, bool) else frozenset()


def _enum_reader(kind: type[Enum]) -> _Reader:
    members = {member.value: member for member in kind}

    def read(data: Any) -> Enum:
        try:
            return members[data]
        except (KeyError, TypeError):
            raise CodecError(f"{data!r} is not a valid {kind.__name__}") from None

    return read


def _plain_reader(kind: type) -> _Reader:
    allowed: Any = (int, float) if kind is float else kind
    wanted = "a number" if kind is float else kind.__name__
    takes_bool = kind is bool

    def read(data: Any) -> Any:
        if not isinstance(data, allowed) or (isinstance(data, bool) and not takes_bool):
            _expect(False, wanted, data)
        return data

    return read


def _expect(holds: bool, wanted: str, data: Any) -> None:
    if not holds:
        raise CodecError(f"expected {wanted}, got {type(data).__name__}")
