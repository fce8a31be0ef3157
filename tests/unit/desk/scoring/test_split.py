"""The halves hang together by source and never move."""

import hashlib

import pytest

from desk.scoring.split import source_key, split_of


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({"meta": {"source_id": 11891}, "context": ["a"]}, "11891"),
        ({"meta": {"source_id": 0}, "context": ["a"]}, "0"),
        ({"meta": {"source_id": ""}, "context": ["a", "b"]}, "a\nb"),
        ({"meta": {"model": "x"}, "context": ["a", "b"]}, "a\nb"),
        ({"meta": None, "context": "one text"}, "one text"),
        ({"context": [{"b": 1, "a": "ö"}]}, '{"a": "ö", "b": 1}'),
        ({"context": {"b": 1}}, '{"b": 1}'),
        ({}, ""),
    ],
)
def test_the_key_is_the_source_id_or_the_context(row, key) -> None:
    assert source_key(row) == key


def test_the_half_is_the_first_bit_of_the_sources_salted_sha256() -> None:
    for number in range(50):
        first = hashlib.sha256(f"watchdog split 2:{number}".encode()).hexdigest()[0]
        half = split_of({"meta": {"source_id": number}})
        assert half == ("tune" if first in "01234567" else "report")


def test_answers_about_one_source_stay_together() -> None:
    rows = [{"context": ["The tower is 30 m high."], "response": str(n)} for n in range(20)]
    assert len({split_of(row) for row in rows}) == 1


def test_the_halves_are_about_equal() -> None:
    halves = [split_of({"context": [f"source {n}"]}) for n in range(2000)]
    assert 900 < halves.count("tune") < 1100


def test_a_lone_surrogate_is_no_error() -> None:
    assert split_of({"context": ["\ud800"]}) in ("tune", "report")
