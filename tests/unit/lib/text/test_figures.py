"""Numbers with units, compared by meaning; dates."""

from math import inf

import pytest

from lib.text.dates import agree as dates_agree
from lib.text.dates import dates
from lib.text.figures import figures, parse, quantities
from lib.text.quantity import comparable, magnitude_apart
from lib.text.tokens import tokenize
from tests.tables import tables

TABLES = tables(__file__)


def one(text):
    tokens = tokenize(text)
    matches = figures(tokens, 0, len(tokens)).quantities
    assert len(matches) == 1, matches
    return matches[0]


@pytest.mark.parametrize(("word", "value"), TABLES["written"])
def test_values(word, value):
    assert parse(word)[0] == float(value)


@pytest.mark.parametrize(("text", "value", "unit"), TABLES["begins with its point"])
def test_a_number_may_begin_with_its_point(text, value, unit):
    number = one(text)
    assert (number.low, number.high, number.unit) == (pytest.approx(float(value)), number.low, unit)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("no more than 40 people", -inf, 40), ("more than 40 people", 40, inf),
        ("not above 40 people", -inf, 40), ("above 40 people", 40, inf),
        ("not below 40 people", 40, inf), ("below 40 people", -inf, 40),
    ],
)  # fmt: skip
def test_a_denied_bound_is_the_opposite_one(text, low, high):
    assert (one(text).low, one(text).high) == (low, high)


def test_two_numbers_that_begin_with_their_points_are_a_range():
    for text in ("between .46 m and .61 m", ".46 to .61 m", ".46-.61 m"):
        interval = one(text)
        assert (interval.low, interval.high) == (pytest.approx(0.46), pytest.approx(0.61))


@pytest.mark.parametrize(
    "text", ["No.61", "sec.61", "sec.61 applies", "Fig.61", "p.61", "report.61", "file.5.61"]
)
def test_digits_behind_a_point_that_belongs_to_a_word_count_nothing(text):
    tokens = tokenize(text)
    assert figures(tokens, 0, len(tokens)).quantities == ()


@pytest.mark.parametrize("word", ["1.1.1", "1,2,3", "9" * 40, "1,23.45.6"])
def test_codes_are_no_values(word):
    assert parse(word) is None


@pytest.mark.parametrize(("text", "other"), [("5 km", "5 kg"), ("5 employees", "7 rooms")])
def test_not_comparable(text, other):
    assert not comparable(one(text), one(other))


@pytest.mark.parametrize("text", ["COVID-19 spread", "see [3]", "one of them", "24/7", "v1.1.1"])
def test_counts_nothing(text):
    tokens = tokenize(text)
    assert quantities(tokens, 0, len(tokens)) == []


def test_magnitude():
    assert magnitude_apart(one("50 employees"), one("500 employees"))
    assert not magnitude_apart(one("50 employees"), one("499 employees"))


def test_fraction():
    assert one("1/2 portion").low == 0.5


def date(text):
    tokens = tokenize(text)
    matches = dates(tokens, 0, len(tokens))
    assert len(matches) == 1, matches
    return matches[0].year, matches[0].month, matches[0].day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in 2026", (2026, None, None)),
        ("March 5, 2010", (2010, 3, 5)),
        ("5 March 2010", (2010, 3, 5)),
        ("the 5th of March 2010", (2010, 3, 5)),
        ("2010-03-05", (2010, 3, 5)),
        ("Sept. 2010", (2010, 9, None)),
        ("on December 4", (None, 12, 4)),
        ("the 1990s", (1990, None, None)),
    ],
)
def test_dates(text, expected):
    assert date(text) == expected


@pytest.mark.parametrize(
    "text", ["2000 employees", "$2000", "It may rain", "They march on", "1500 km", "2010%"]
)
def test_no_dates(text):
    tokens = tokenize(text)
    assert dates(tokens, 0, len(tokens)) == []


def test_dates_agree_in_what_both_say():
    def read(text):
        tokens = tokenize(text)
        return dates(tokens, 0, len(tokens))[0]

    assert dates_agree(read("in 2010"), read("March 5, 2010"))
    assert dates_agree(read("the 1990s"), read("in 1995"))
    assert not dates_agree(read("in 2010"), read("March 5, 2011"))
    assert not dates_agree(read("on March 5"), read("March 6, 2011"))
