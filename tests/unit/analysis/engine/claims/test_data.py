"""JSON answers: each field is a claim, whose offsets count in the answer as submitted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.claims.extraction import read
from lib.text.reader.reading import read_text
from tests.answers import decided
from tests.tables import tables

TABLES = tables(__file__)

SOURCE = (
    "Refunds take 14 days. Shipping costs are not refunded. The tower is 300 m high. It is painted "
    "brown. The museum opened in 1964. The lasagne is vegetarian."
)


@pytest.mark.parametrize(("answer", "action"), TABLES["each field is held against the sources"])
def test_each_field_is_held_against_the_sources(answer: str, action: str) -> None:
    assert decided(answer, SOURCE).action == action


def test_a_claim_reaches_from_its_key_to_its_value() -> None:
    answer = '{"refund_days": 14, "sizes": [36, 38]}'
    texts = [statement.claim.text for statement in read(answer).statements]
    assert texts == ['"refund_days": 14', '"sizes": [36', "38"]
    named = [statement.claim.text for statement in read('{"method": "card"}').statements]
    assert named == ['"method": "card"']


def test_objects_among_prose_are_taken_apart_where_they_stand() -> None:
    answer = 'Here it is: {"refund_days": 14}\nAnd: [{"height_m": 300}] as you asked. {"a": }'
    reading = read_text(answer, each=True)
    assert reading.decoded.text.splitlines()[:3] == ["Here it is:", "", "refund: 14 days."]
    assert "item 1: height: 300 m." in reading.decoded.text


@pytest.mark.parametrize("answer", ["[1] is cited.", "{not json}", "Refunds take 14 days.", "[]"])
def test_any_other_answer_holds_no_data(answer: str) -> None:
    assert read_text(answer).data == ()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda below: st.lists(below) | st.dictionaries(st.text(), below),
    )
)
def test_offsets_never_go_back(data: object) -> None:
    answer = json.dumps(data)
    decoded = read_text(answer, each=True).decoded
    assert list(decoded.offsets) == sorted(decoded.offsets)
    assert len(decoded.offsets) in (0, len(decoded.text) + 1)
    for statement in read(answer).statements:
        claim = statement.claim
        assert answer[claim.start : claim.end] == claim.text != ""
