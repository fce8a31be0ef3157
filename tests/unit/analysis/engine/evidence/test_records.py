"""Records in words, and as data: names of things, yes, no or nothing, and the week."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.evidence.records import (
    MAX_LEVELS,
    MAX_VALUES,
    as_text,
    for_people,
    read_fields,
    unfit,
    verbalise,
)
from lib.text.stems import stem

INN = json.dumps(
    {
        "name": "The Blue Inn",
        "attributes": {"OutdoorSeating": False, "WiFi": None, "parking_lot": {"valet": True}},
        "hours": {"Monday": "11:0-21:30"},
        "reviews": [{"stars": 4, "text": "Quiet rooms and a kind host. " * 4}],
        "tags": ["inn", "bar"],
    }
)


def test_fields_are_named_by_their_path():
    verbal = verbalise(INN)
    lines = verbal.text.splitlines()
    assert lines[:5] == [
        "name: The Blue Inn.",
        "attributes: outdoor seating: no, wi fi: not stated.",
        "attributes, parking lot: valet: yes.",
        "hours: Monday: 11:00 am to 9:30 pm.",
        "reviews, item 1: stars: 4.",
    ]
    assert lines[5].startswith("reviews, item 1: Quiet rooms")
    assert lines[6] == "tags: inn, bar."


def test_every_line_leads_back_to_its_path():
    verbal = verbalise(INN)
    assert verbal.line_at(verbal.text.index("outdoor")).path == "attributes"
    assert verbal.line_at(verbal.text.index("valet")).path == "attributes.parking_lot"
    assert verbal.line_at(verbal.text.index("Quiet")).path == "reviews.0.text"
    assert verbal.line_at(len(verbal.text) + 5) is None


def test_what_is_no_record_is_left_alone():
    for text in ("", "{not json", "plain prose", "[1, 2, 3]", '"text"', "[[[[", "{" * 100_000):
        assert verbalise(text) is None


def test_a_table_is_told_row_by_row():
    verbal = verbalise('[{"city": "Lyon", "rain": 3}, {"city": "Porto", "rain": 9}]')
    assert verbal.text == "city: Lyon, rain: 3.\ncity: Porto, rain: 9."


def nested(levels):
    value = 1
    for _ in range(levels):
        value = {"in": value}
    return value


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("text", "Expected an object"),
        (None, "Expected an object"),
        ([1, "two"], "Expected an object"),
        ([], "Expected an object"),
        ({}, "Holds no value"),
        ({"a": [], "b": [{}]}, "Holds no value"),
        (nested(MAX_LEVELS), "Nested more than"),
        (nested(100_000), "Nested more than"),
        ({"rows": [1] * MAX_VALUES}, "Holds more than"),
    ],
)
def test_what_cannot_be_a_record_is_told(record, why):
    assert unfit(record).startswith(why)


def test_the_largest_record_allowed_is_put_into_words():
    record = [{"n": n} for n in range((MAX_VALUES - 1) // 2)]
    assert unfit(record) is None
    verbal = verbalise(as_text(record))
    assert len(verbal.lines) == len(record)
    deep = nested(MAX_LEVELS - 1)
    assert unfit(deep) is None
    assert verbalise(as_text(deep)) is not None


def test_what_no_database_takes_is_read_as_a_blank_and_a_replacement():
    text = r'{"a": "\ud83d\ude00 \uD83D b\u0000c \\u0000 \\\u0000"}'
    verbal = verbalise(text)
    assert verbal.data == {"a": "😀 \ufffd b c \\u0000 \\ "}
    assert verbal.text == "a: 😀 \ufffd b c \\u0000 \\ ."
    assert for_people(text).encode()


def test_a_record_is_indented_for_people_and_prose_is_not():
    assert for_people('{"a": {"b": "é"}}') == '{\n  "a": {\n    "b": "é"\n  }\n}'
    assert for_people("Prose, {not} JSON.") == "Prose, {not} JSON."


plain = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
objects = st.dictionaries(st.text(min_size=1, max_size=8), plain, min_size=1, max_size=4)


values = st.recursive(plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(values)
def test_a_record_that_is_fit_always_has_words(record):
    if unfit(record) is None:
        assert verbalise(as_text(record)) is not None


@given(st.dictionaries(st.text(min_size=1, max_size=8), plain | objects | st.lists(objects)))
def test_lines_cover_the_text_and_do_not_overlap(data):
    verbal = verbalise(json.dumps(data))
    if verbal is None:
        return
    assert "\n".join(verbal.text[line.start : line.end] for line in verbal.lines) == verbal.text


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
