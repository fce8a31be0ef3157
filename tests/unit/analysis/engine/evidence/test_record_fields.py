"""Statements of a record without words: names of things, yes, no or nothing, and the week."""

from analysis.engine.evidence.record_fields import read_fields
from lib.text.stems import stem

RECORD = {
    "name": "Blue Heron Diner",
    "hours": {"Monday": "0:0-0:0", "Tuesday": "8:30-14:0", "Saturday": "18:0-1:30"},
    "attributes": {
        "BusinessParking": {"garage": False, "street": True, "valet": None},
        "RestaurantsTakeOut": True,
        "RestaurantsGoodForGroups": False,
        "WiFi": "no",
        "Music": None,
        "DogsAllowed": "True",
        "NoiseLevel": "quiet",
    },
    "reviews": [{"stars": 4.0, "text": "Loud music, lovely soup."}],
}


def _values() -> dict[str, bool | None]:
    return {field.name: field.value for field in read_fields(RECORD).fields}


def test_a_field_is_named_by_what_it_is_about():
    assert _values() == {
        stem("parking"): True,
        stem("garage"): False,
        stem("street"): True,
        stem("valet"): None,
        stem("takeout"): True,
        stem("groups"): False,
        stem("wifi"): False,
        stem("music"): None,
        stem("dogs"): True,
    }


def test_a_flag_knows_its_group_and_its_path():
    garage = next(field for field in read_fields(RECORD).fields if field.name == stem("garage"))
    assert (garage.group, garage.path) == (stem("parking"), "attributes.BusinessParking.garage")
    assert garage.display_text == "garage: no"


def test_a_week_leaves_unnamed_days_closed_and_may_pass_midnight():
    (week,) = read_fields(RECORD).weeks
    assert week.days == (None, (510, 840), None, None, None, (1080, 90), None)


def test_texts_are_prose_and_flags_are_not():
    prose = read_fields(RECORD).prose
    assert {stem("soup"), stem("heron")} <= prose
    assert "no" not in prose


def test_what_states_nothing_yields_nothing():
    for data in ({"a": 1}, [], [1, 2], {"Monday": "closed"}, {"": {"": ""}}, "text", None):
        fields = read_fields(data)
        assert not fields.weeks
        assert not fields.fields


def test_depth_is_bounded():
    deep: dict[str, object] = {"open air": True}
    for _ in range(500):
        deep = {"below": deep}
    assert not read_fields(deep).fields
