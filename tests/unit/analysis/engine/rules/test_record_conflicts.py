"""Claims compared with the fields and opening hours of a record."""

import json

import pytest

from analysis.engine.signal_types import VerifierSignal
from analysis.engine.types import ConflictKind
from analysis.engine.verdict.probability import unsupported
from tests.answers import measured
from tests.tables import tables

TABLES = tables(__file__)

RECORD = {
    "name": "Blue Heron Diner",
    "address": "12 Garage Lane",
    "hours": {
        "Tuesday": "8:0-14:0",
        "Wednesday": "8:0-14:0",
        "Thursday": "8:0-14:0",
        "Friday": "8:0-22:0",
        "Saturday": "8:0-22:0",
    },
    "attributes": {
        "BusinessParking": {"garage": False, "street": True, "lot": True, "valet": False},
        "RestaurantsReservations": False,
        "RestaurantsTakeOut": True,
        "OutdoorSeating": True,
        "WiFi": "no",
        "Music": None,
        "Ambience": {"romantic": False, "casual": True, "trendy": False},
    },
    "reviews": [{"text": "They took our reservation, and the soup was lovely."}],
}


def _signals(claim: str, record: object = RECORD) -> tuple[VerifierSignal, ...]:
    return measured(claim, json.dumps(record), query="Describe the diner.").signals


def _signal(claim: str, record: object = RECORD) -> VerifierSignal:
    (signal,) = _signals(claim, record)
    return signal


def _fields(signal: VerifierSignal) -> list[str]:
    return [conflict.detail for conflict in signal.conflicts if conflict.kind is ConflictKind.FIELD]


@pytest.mark.parametrize(("claim", "detail"), TABLES["what the record states otherwise"])
def test_what_the_record_states_otherwise(claim, detail):
    signal = _signal(claim)
    assert _fields(signal) == [detail]
    assert (signal.nli.entail, signal.nli.contradict) == (0.0, 1.0)
    assert signal.contradicted_by is not None
    assert unsupported(signal) > 0.7


@pytest.mark.parametrize("claim", TABLES["what the record bears out"])
def test_what_the_record_bears_out(claim):
    for signal in _signals(claim):
        assert not _fields(signal)
        assert signal.nli.entail >= 0.9
        assert signal.supported_by is not None
        assert unsupported(signal) < 0.4


def test_a_field_that_says_nothing_supports_neither():
    for claim in ("The diner has music.", "The diner has no live music."):
        assert _signal(claim).nli.entail <= 0.1


def test_a_field_left_open_is_in_conflict_with_a_claim_that_it_is_so():
    (conflict,) = _signal("The diner has music.").conflicts
    assert (conflict.detail, conflict.certain) == ("“music: not stated” in the record", True)
    # It warns: that the record leaves it open is no proof of the opposite.
    assert _signal("The diner has music.").nli.contradict < 0.7


@pytest.mark.parametrize("claim", TABLES["a field left open does not oppose"])
def test_a_field_left_open_does_not_oppose_a_denial_or_more_than_the_field(claim):
    assert not _fields(_signal(claim))


@pytest.mark.parametrize("claim", TABLES["hours that are not read"])
def test_hours_that_are_not_read_settle_nothing(claim):
    assert not _fields(_signal(claim))


@pytest.mark.parametrize("claim", TABLES["what fields cannot settle is left to the words"])
def test_what_fields_cannot_settle_is_left_to_the_words(claim):
    assert not _fields(_signal(claim))


def test_a_list_of_records_and_other_keys():
    rooms = [{"room": "Oak", "HasProjector": False}, {"room": "Elm", "capacity": 12}]
    assert _fields(_signal("The Oak room has a projector.", rooms)) == [
        "“has projector: no” in the record"
    ]


def test_records_that_differ_leave_the_claim_to_the_words():
    rooms = [
        {
            "room": "Oak",
            "HasProjector": False,
            "hours": {"Monday": "8:0-9:0", "Friday": "8:0-9:0", "Sunday": "8:0-9:0"},
        },
        {
            "room": "Elm",
            "HasProjector": True,
            "hours": {"Monday": "8:0-9:0", "Friday": "7:0-9:0", "Sunday": "8:0-9:0"},
        },
    ]
    sources = [json.dumps(room) for room in rooms]
    for claim in ("The Elm room has a projector.", "It is open on Friday from 7 am to 9 am."):
        for order in (sources, sources[::-1]):
            (signal,) = measured(claim, *order).signals
            assert not _fields(signal)
        assert not _fields(_signal(claim, rooms))


def test_what_another_source_says_of_another_is_no_conflict():
    sources = (json.dumps(RECORD), "Falcon Grill offers Wi-Fi to all of its guests.")
    (signal,) = measured("Falcon Grill offers Wi-Fi.", *sources).signals
    assert not _fields(signal)
    assert signal.nli.entail >= 0.5
    (signal,) = measured("It offers Wi-Fi to all guests.", *sources).signals
    assert not _fields(signal)


@pytest.mark.parametrize("claim", ["A new bridge spans the river.", "The river has no new bridge."])
def test_a_flag_of_one_word_says_nothing_of_what_the_word_describes(claim):
    for value in (True, False):
        assert not _fields(_signal(claim, {"new": value, "bridge": "Elm Bridge"}))


def test_prose_sources_have_no_fields():
    (signal,) = measured("The diner offers WiFi.", "The diner has WiFi: no.").signals
    assert not _fields(signal)
