"""Prose about a table, and data about prose: a row and a column are held against the value."""

import json

import pytest

from analysis.engine import Action, Measurement, decide
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from tests.answers import measured

YEARS = (
    "| Term | Budget (million euros) | Pupils |\n|---|---|---|\n"
    "| T1 2023 | 2.4 | 610 |\n| T2 2023 | 3.1 | 644 |"
)
FEES = (
    "| Ward | Bike | Fee (euros) |\n|---|---|---|\n"
    "| East | cargo | 4 |\n| East | city | 2 |\n| West | cargo | 6 |"
)
TOWNS = "town,mayor\nNorvik,Ada Holm\nSundby,Per Lind"
HEADS = (
    "|  | March 2021 |  | March 2020 |  |\n|---|---|---|---|---|\n"
    "| (in thousands) | Sold | Stored | Sold | Stored |\n| Cement | 410 | 96 | 385 | 72 |\n"
    "| Total cement and lime | 690 | 131 | 640 | 118 |"
)
SECTIONS = (
    "| Cost | 2021 |\n|---|---|\n| City taxes: | |\n| Current year | 21 |\n"
    "| State taxes: | |\n| Current year | 98 |"
)
CODES = "Codes of the Brisk mixer\nE1: lid open\nE2: motor too hot\nE3: bowl missing"
STATION = json.dumps({"station": "Vik", "wind": {"speed_ms": 7.2, "gust_ms": 13.5}})
SHELVES = json.dumps(
    [{"sku": "HNG-1", "name": "Door hinge", "on_hand": 85, "on_order": 0},
     {"sku": "BLT-2", "name": "Bolt", "on_hand": 6, "on_order": 60}]
)  # fmt: skip
PROBES = json.dumps([{"probe": "P-01", "battery_pct": 91}, {"probe": "P-02", "battery_pct": 17}])
FROST = json.dumps({"city": "Vik", "temperature_c": -4})
ACCOUNT = json.dumps({"type": "SAVINGS", "balance_cents": 920075, "currency": "EUR"})
PLANS = "The price of Solo is 9 euros a month, with 3 users and 50 GB of storage."
PROSE = "The Heron lamp uses 7 watts. The Ibis lamp uses 18 watts."


def _conflicts(measurement: Measurement) -> list[Conflict]:
    return [conflict for signal in measurement.signals for conflict in signal.conflicts]


@pytest.mark.parametrize(
    ("source", "answer", "value"),
    [
        (YEARS, "In T2 2023 the school had 640 pupils.", "644"),
        (YEARS, "The budget of T1 2023 was 3.1 million euros.", "2.4 million euros"),
        (FEES, "In the East ward, a cargo bike costs 6 euros.", "4 euros"),
        (TOWNS, "The mayor of Sundby is Ada Holm.", "Per Lind"),
        (FEES, "A city bike in the East ward costs 4 euros a day.", "2 euros"),
        (HEADS, "In March 2021 the cement stored was 72 thousand.", "96"),
        (HEADS, "Cement sold in March 2020 came to 410 thousand.", "385"),
        (SECTIONS, "The current year state taxes are 21.", "98"),
        (CODES, "E1 means that the motor is too hot.", "lid open"),
        (STATION, "The gust was 7.2 metres per second.", "13.5 m/s"),
        (SHELVES, "Door hinges are also low at 6.", "85"),
        (PROBES, "P-01 works, but its battery is down to 17%.", "91 %"),
        (FROST, "It is 4 °C in Vik.", "-4 °C"),
        (ACCOUNT, "The balance is €920,075.", "9200.75 EUR"),
        (YEARS, "| Term | Pupils |\n|---|---|\n| T1 2023 | 644 |", "610"),
        (PLANS, "| Plan | Users | Storage |\n|---|---|---|\n| Solo | 3 | 500 GB |", "50 GB"),
        (PROSE, "lamp,power\nHeron,18 watts\nIbis,7 watts", "7 watts"),
    ],
)
def test_another_value_is_a_certain_conflict(source: str, answer: str, value: str) -> None:
    measurement = measured(answer, source)
    conflicts = [each for each in _conflicts(measurement) if each.certain]
    assert any(f"“{value}”" in each.detail for each in conflicts)
    assert decide(answer, measurement).action is Action.BLOCK


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (YEARS, "In T2 2023 the school had 644 pupils."),
        (YEARS, "The budget of T1 2023 was 2.4 million euros."),
        (FEES, "In the East ward, a cargo bike costs 4 euros."),
        (TOWNS, "The mayor of Sundby is Per Lind."),
        (HEADS, "In March 2021 the cement stored was 96 thousand."),
        (HEADS, "Total cement and lime sold in March 2021 was 690 thousand."),
        (HEADS, "The cement sold was 690 in March 2021, lime included."),
        (SECTIONS, "The current year city taxes are 21."),
        (CODES, "E2 means that the motor is too hot."),
        (STATION, "The gust was 13.5 metres per second."),
        (STATION, "The wind blew with 20 metres per second."),
        (SHELVES, "Door hinges are at 85; 60 bolts are on order."),
        (PROBES, "P-02 works, but its battery is down to 17%."),
        (FROST, "It is 4 °C below zero in Vik."),
        (PLANS, "| Plan | Users | Storage |\n|---|---|---|\n| Solo | 3 | 50 GB |"),
        (PLANS, "| Plan | Users | Price a year |\n|---|---|---|\n| Solo | 3 | 108 euros |"),
        (ACCOUNT, "The balance is €9,200.75."),
        (YEARS, "The budget of T2 2023 was 0.7 million euros higher than that of T1 2023."),
        (YEARS, "In T2 2023 the school had 12 classes."),
    ],
)
def test_the_same_value_and_what_is_in_no_cell_are_no_conflict(source: str, answer: str) -> None:
    kinds = [each.kind for each in _conflicts(measured(answer, source))]
    assert ConflictKind.FIELD not in kinds


ROOMS = (
    "| Room | Lift | Piano | Rent | Seats |\n|---|---|---|---|---|\n"
    "| Alder | yes | no | €40 | 30 |\n| Birch | no | yes | €55 | 40 |"
)
BOATS = "Boat,First run,Last run\nGannet,00:15,22:40\nPuffin,00:45,22:05"
CABIN = "Cabin: 7\nStove: no\nDogs: none\nBalcony: yes"


@pytest.mark.parametrize(
    ("source", "question", "right", "wrong"),
    [
        (ROOMS, "Does Birch have a lift?", "No.", "Yes."),
        (ROOMS, "Is there a piano?", "Birch has a piano.", "Alder has a piano."),
        (ROOMS, "How much is Alder?", "€40", "€55"),
        (BOATS, "When is the first run of the Puffin?", "00:45", "00:15"),
        (BOATS, "When is the last run of the Gannet?", "22:40", "22:05"),
        (CABIN, "Is there a stove?", "Cabin 7 has no stove.", "Cabin 7 has a stove."),
        (CABIN, "Are dogs allowed?", "Dogs are not allowed.", "Dogs are allowed."),
    ],
)
def test_what_a_question_asks_of_a_row_is_looked_up(
    source: str, question: str, right: str, wrong: str
) -> None:
    """The question names row and column of a bare answer; yes and no are values."""
    for answer, action in ((right, Action.ALLOW), (wrong, Action.BLOCK)):
        measurement = measured(answer, source, query=question)
        assert decide(answer, measurement).action is action
        certain = [each.certain for each in _conflicts(measurement)]
        assert certain == ([True] if answer == wrong else [])


def test_a_word_that_may_deny_is_no_yes() -> None:
    assert not _conflicts(measured("Stoves are banned.", CABIN))


def test_what_a_tool_returns_one_by_one_is_one_table() -> None:
    orders = ({"order": "A-9", "item": "Standing desk", "eta": "2026-04-17"},
              {"order": "A-8", "item": "Desk lamp", "eta": "2026-04-14"})  # fmt: skip
    sources = [json.dumps(order) for order in orders]
    for day, certain in ((14, []), (17, [True])):
        measurement = measured(f"The desk lamp is due on {day} April.", *sources)
        assert [each.certain for each in _conflicts(measurement)] == certain


def test_an_object_of_a_list_is_known_by_its_name() -> None:
    record = json.dumps({"items": [{"id": 1, "name": "Fern", "price_eur": 9},
                                   {"id": 2, "name": "Moss", "price_eur": 4}]})  # fmt: skip
    answer = "The price of the moss is 9 euros."
    conflicts = _conflicts(measured(answer, record))
    assert [each.kind for each in conflicts][:1] == [ConflictKind.FIELD]
