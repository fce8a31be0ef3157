"""JSON to frozen dataclasses: what does not fit is named by its path."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest

from analysis.engine.codec import CodecError, decode, encode


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    share: float | None
    count: int = 1
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Whole:
    parts: tuple[Part, ...]
    pair: tuple[int, str]
    by_name: dict[str, Part]
    colour: Colour
    maybe: Part | None = None
    other: tuple[str, ...] = ()


PART = Part("a", 0.5)
WHOLE = Whole((PART, Part("b", None, 2, True)), (1, "x"), {"k": PART}, Colour.RED, PART, ("y",))


def test_what_is_written_is_read_again() -> None:
    assert decode(Whole, encode(WHOLE)) == WHOLE


def test_a_whole_number_is_kept_as_it_is_where_a_share_is_meant() -> None:
    assert type(decode(Part, {"name": "a", "share": 1}).share) is int


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"parts": {}}, "Whole.parts: expected an array, got dict"),
        ({"parts": [{"name": 1, "share": None}]}, "Whole.parts[0].name: expected str, got int"),
        ({"parts": [{"share": None}]}, "Whole.parts[0]: lacks name"),
        ({"parts": [{}]}, "Whole.parts[0]: lacks name, share"),
        ({"pair": [1]}, "Whole.pair: expected 2 items, got list"),
        ({"pair": [1, 2]}, "Whole.pair[1]: expected str, got int"),
        ({"pair": [True, "x"]}, "Whole.pair[0]: expected int, got bool"),
        ({"by_name": {"k": None}}, "Whole.by_name.k: expected an object, got NoneType"),
        ({"by_name": {"k": {"name": "a", "share": True}}}, "Whole.by_name.k.share: expected a num"),
        ({"by_name": {"k": {"name": "a", "share": 1, "sure": 1}}}, "k.sure: expected bool"),
        ({"colour": "blue"}, "Whole.colour: 'blue' is not a valid Colour"),
        ({"colour": []}, "Whole.colour: [] is not a valid Colour"),
        ({"maybe": "a"}, "Whole.maybe: expected an object, got str"),
        ({"other": ["y", None]}, "Whole.other[1]: expected str, got NoneType"),
    ],
)
def test_what_does_not_fit_is_named_by_its_path(change: dict[str, Any], told: str) -> None:
    with pytest.raises(CodecError) as error:
        decode(Whole, encode(WHOLE) | change)
    assert told in str(error.value)


def test_another_name_can_begin_the_path() -> None:
    with pytest.raises(CodecError, match=r"^here: lacks name, share"):
        decode(Part, {}, "here")
