"""JSON to frozen dataclasses: what does not fit is named by its path."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest

from analysis.engine.codec import CodecError, decode, decode_text, encode


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


def test_it_is_read_from_text_alike() -> None:
    assert decode_text(Whole, json.dumps(encode(WHOLE))) == WHOLE


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "nonsense"])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(CodecError, match=r"^Part: "):
        decode_text(Part, text)


def test_a_whole_number_is_a_share_as_well() -> None:
    assert decode(Part, {"name": "a", "share": 1}).share == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parts": {}}, "Whole.parts: Expected `array`, got `object`"),
        ({"parts": [{"name": 1, "share": None}]}, "Whole.parts[0].name: Expected `str`, got `int`"),
        ({"parts": [{"share": None}]}, "Whole.parts[0]: Object missing required field `name`"),
        ({"pair": [1]}, "Whole.pair: Expected `array` of length 2, got 1"),
        ({"pair": [1, 2]}, "Whole.pair[1]: Expected `str`, got `int`"),
        ({"pair": [True, "x"]}, "Whole.pair[0]: Expected `int`, got `bool`"),
        ({"by_name": {"k": None}}, "Whole.by_name[...]: Expected `object`, got `null`"),
        ({"by_name": {"k": {"name": "a", "share": True}}}, "[...].share: Expected `float | null`"),
        ({"by_name": {"k": {"name": "a", "share": 1, "sure": 1}}}, "sure: Expected `bool`"),
        ({"colour": "blue"}, "Whole.colour: Invalid enum value 'blue'"),
        ({"colour": []}, "Whole.colour: Expected `str`, got `array`"),
        ({"maybe": "a"}, "Whole.maybe: Expected `object | null`, got `str`"),
        ({"other": ["y", None]}, "Whole.other[1]: Expected `str`, got `null`"),
    ],
)
def test_what_does_not_fit_is_named_by_its_path(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CodecError) as error:
        decode(Whole, encode(WHOLE) | change)
    assert message in str(error.value)


def test_another_name_can_begin_the_path() -> None:
    with pytest.raises(CodecError, match=r"^here: Object missing required field `name`"):
        decode(Part, {}, "here")
