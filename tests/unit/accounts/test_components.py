"""Schema components follow from the members of dataclasses."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

import pytest
from django.utils import timezone
from rest_framework import serializers

from accounts.components import UTCField, component


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Wheel:
    """A part."""

    spokes: int


@dataclass(frozen=True)
class Cart:
    """A class with a member of each kind."""

    name: str
    span: tuple[int, int] | None = None
    colour: Colour | None = None
    wheels: tuple[Wheel, ...] = ()
    load: float = 0.0
    owner: str = ""


def test_each_member_is_a_field_of_its_kind() -> None:
    component(Wheel, "W.")
    cart = component(Cart, "A cart.", load="In kg.")()
    fields = cart.fields
    assert list(fields) == ["name", "span", "colour", "wheels", "load", "owner"]
    assert [name for name, field in fields.items() if field.required] == ["name"]
    assert [name for name, field in fields.items() if field.allow_null] == ["span", "colour"]
    assert isinstance(fields["span"].child, serializers.IntegerField)
    assert list(fields["colour"].choices) == ["red"]
    assert list(fields["wheels"].child.fields) == ["spokes"]
    assert fields["load"].help_text == "In kg."


def test_required_members_may_be_named_and_come_first() -> None:
    component(Wheel, "W.")
    fields = component(Cart, "A cart.", required=["owner"])
    assert next(iter(fields().fields)) == "owner"
    assert not fields().fields["name"].required


def test_all_members_may_be_required_one_replaced_and_one_added() -> None:
    component(Wheel, "W.")
    own = {"owner": serializers.UUIDField(), "wheel_count": serializers.IntegerField()}
    fields = component(Cart, "A cart.", whole=True, name="Car", **own)
    assert fields.__name__ == "Car"
    assert all(field.required for field in fields().fields.values())
    assert isinstance(fields().fields["owner"], serializers.UUIDField)
    assert [*fields().fields][-1] == "wheel_count"


def test_maps_dates_and_named_tuples_are_members_too() -> None:
    class Load(NamedTuple):
        at: datetime
        counts: dict[str, int] | None
        more: dict[str, Any]

    fields = component(Load, "L.")().fields
    assert [type(field).__name__ for field in fields.values()] == [
        "DateTimeField", "DictField", "DictField",
    ]  # fmt: skip
    assert isinstance(fields["counts"].child, serializers.IntegerField)
    assert fields["counts"].allow_null
    assert all(field.required for field in fields.values())


def test_an_explanation_of_no_member_is_refused() -> None:
    with pytest.raises(TypeError, match="Wheel has no rim"):
        component(Wheel, "W.", rim="Round.")


def test_a_time_is_written_in_utc_wherever_the_installation_is() -> None:
    with timezone.override("Europe/Oslo"):
        noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
        assert UTCField().to_representation(noon) == "2026-11-29T12:00:00Z"
