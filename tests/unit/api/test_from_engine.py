"""Schema components follow from the members of dataclasses."""

from dataclasses import dataclass
from enum import StrEnum

import pytest
from rest_framework import serializers

from api.from_engine import component


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Wheel:
    """A part."""

    spokes: int


@dataclass(frozen=True)
class Cart:
    """With a member of each kind."""

    name: str
    span: tuple[int, int] | None = None
    colour: Colour | None = None
    wheels: tuple[Wheel, ...] = ()
    load: float = 0.0
    owner: str = ""


def test_each_member_is_a_field_of_its_kind() -> None:
    cart = component(Cart, "A cart.", parts={Wheel: component(Wheel, "W.")}, load="In kg.")()
    fields = cart.fields
    assert list(fields) == ["name", "span", "colour", "wheels", "load", "owner"]
    assert [name for name, field in fields.items() if field.required] == ["name"]
    assert [name for name, field in fields.items() if field.allow_null] == ["span", "colour"]
    assert isinstance(fields["span"].child, serializers.IntegerField)
    assert list(fields["colour"].choices) == ["red"]
    assert list(fields["wheels"].child.fields) == ["spokes"]
    assert fields["load"].help_text == "In kg."


def test_required_members_may_be_named_and_come_first() -> None:
    fields = component(Cart, "A cart.", required=["owner"], parts={Wheel: component(Wheel, "W.")})
    assert next(iter(fields().fields)) == "owner"
    assert not fields().fields["name"].required


def test_an_explanation_of_no_member_is_refused() -> None:
    with pytest.raises(TypeError, match="Wheel has no rim"):
        component(Wheel, "W.", rim="Round.")
