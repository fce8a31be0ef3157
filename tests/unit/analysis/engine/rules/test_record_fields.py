"""The fields of records: names of things, yes, no or nothing."""

import json

from analysis.engine.evidence.corpus import build
from analysis.engine.rules.cells import Flag, rows_of
from analysis.engine.rules.record_fields import Record, read_records
from analysis.engine.types import Source
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


def _records(*data: object) -> list[Record]:
    sources = (Source(str(at), json.dumps(each)) for at, each in enumerate(data))
    return read_records(cell for row in rows_of(build(tuple(sources)).cells) for cell in row.cells)


def _values(data: object) -> dict[str, bool | None]:
    (record,) = _records(data)
    return {field.name: field.flag.value for field in record.fields}


def test_a_field_is_named_by_what_it_is_about():
    assert _values(RECORD) == {
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


def test_a_flag_knows_its_group_and_its_passage():
    corpus = build((Source("s", json.dumps(RECORD)),))
    (record,) = read_records(cell for row in rows_of(corpus.cells) for cell in row.cells)
    garage = next(field for field in record.fields if field.name == stem("garage"))
    assert (garage.group, garage.flag) == (stem("parking"), Flag.NO)
    assert garage.display_text == "garage: no"
    assert "business parking: garage: no" in corpus.text_of(garage.passage)


def test_a_week_is_no_group_of_fields():
    (record,) = _records(RECORD)
    assert len(record.weeks) == 1


def test_texts_are_prose_and_flags_are_not():
    (record,) = _records(RECORD)
    assert {stem("soup"), stem("heron")} <= record.prose
    assert "no" not in record.prose


def test_what_states_nothing_yields_nothing():
    for data in ({"a": 1}, [], [1, 2], {"Monday": "closed"}, {"": {"": ""}}, "text", None):
        for record in _records(data):
            assert not record.weeks
            assert not record.fields


def test_lists_are_no_fields():
    assert _values({"awards": [], "open": [True, False], "items": [{"new": True}]}) == {
        stem("new"): True
    }


def test_each_source_is_a_record_of_its_own():
    lifts = [{"lift": True, "name": "Oak"}, {"lift": False, "name": "Elm"}]
    assert [[field.flag for field in record.fields] for record in _records(*lifts)] == [
        [Flag.YES],
        [Flag.NO],
    ]


def test_depth_is_bounded():
    deep: dict[str, object] = {"open air": True}
    for _ in range(30):
        deep = {"below": deep}
    assert not _records(deep)
