"""The content of a report."""

import json

import pytest

from desk.scoring.figures import group
from lib.stats.bootstrap import NONE, Interval
from tests.unit.desk.scoring.scored import scored
from tools.evaluation.answers.report import (
    Comparison,
    Pair,
    Phenomenon,
    Report,
    comparison_table,
    decision_table,
    interval,
    markdown,
    phenomenon_table,
    ranking_table,
    side_by_side,
    signal_table,
    write,
)

ROWS = [
    scored(True, 0.9, source="a", words=0.9, signals={"x": 1.0}, flagged=True, tokens=60),
    scored(False, 0.1, source="b", words=0.2, signals={"x": None}, tokens=20, peak_memory=120.0),
]
ONE = group("f", "all", ROWS, 10)
POOLED = group("all answers", "all", ROWS * 2, 10)
OTHER = group("g|h", "all", ROWS, 10)


@pytest.mark.parametrize(
    ("value", "signed", "words"),
    [
        (Interval(0.8123, 0.7, 0.9), False, "0.812 [0.700, 0.900]"),
        (Interval(0.01, -0.02, 0.04), True, "+0.010 [-0.020, +0.040]"),
        (NONE, False, "–"),
    ],
)
def test_an_interval_in_words(value, signed, words) -> None:
    assert interval(value, signed=signed) == words


def test_every_row_has_a_cell_for_each_heading() -> None:
    pair = Pair(ONE, OTHER, NONE)
    for table in (
        ranking_table([ONE, OTHER]),
        decision_table([ONE, OTHER]),
        signal_table([ONE, OTHER]),
        comparison_table(("one", "two"), [pair]),
    ):
        assert {len(row) for row in table.rows} == {len(table.headings)}


def test_the_cells_hold_the_figures() -> None:
    first, _, pooled = ranking_table([ONE, OTHER], [POOLED]).rows
    assert first[:6] == ("f", "all", "2", "2", "50.0%", "1.000 [1.000, 1.000]")
    assert pooled[:6] == ("all answers", "all", "4", "2", "50.0%", "1.000 [1.000, 1.000]")
    (decided,) = decision_table([ONE]).rows
    assert decided == ("f", "all", "0.667", "1.000", "1.000", "0.0%", "0.0%", "0.0%")
    assert signal_table([ONE]).rows[0] == ("f", "all", "–")


def test_markdown_keeps_its_columns() -> None:
    lines = markdown(ranking_table([OTHER])).splitlines()
    assert lines[0] == "## Ranking"
    assert lines[3].startswith("|---|---|---:|")
    assert "g\\|h" in lines[4]


def test_a_report_is_written_for_readers_and_programs(tmp_path) -> None:
    reports = [
        Report("one", {"models": "m"}, [ONE], [POOLED]),
        Report("two", {"models": "n"}, [ONE]),
    ]
    gain = Pair(ONE, ONE, Interval(0.0, 0.0, 0.0))
    paths = write(tmp_path / "new" / "folder", reports, [Comparison(("one", "two"), [gain])])
    assert [path.name for path in paths] == ["report.json", "report.md"]
    data = json.loads(paths[0].read_text())
    assert data["reports"][0]["groups"][0]["shipped"]["f1"] == 1.0
    assert data["reports"][0]["groups"][0]["score"]["value"] == 1.0
    assert data["reports"][0]["pooled"][0]["shipped"]["f1"] == 1.0
    place = {"first": "one", "second": "two", "file": "f", "task": "all"}
    assert data["gains"] == [place | {"value": 0.0, "low": 0.0, "high": 0.0}]
    text = paths[1].read_text()
    assert "## one and two" in text
    assert "- models: m" in text
    assert text.count("| all answers | all | 4 |") == 1, "in the ranking"
    assert text.count("| all answers | all | 0.667 |") == 1, "in the decisions"


def test_configurations_stand_side_by_side_by_phenomenon_and_cost() -> None:
    swap = Phenomenon("role-swap", True, 2, 1.0, 0.5, Interval(0.8, 0.7, 0.9))
    paraphrase = Phenomenon("paraphrase", False, 3, 0.0, 0.0, None)
    table = phenomenon_table("dev", [("one", [paraphrase, swap]), ("two", [paraphrase, swap])])
    assert {len(row) for row in table.rows} == {len(table.headings)}
    cells = ("100.0%", "50.0%", "0.800 [0.700, 0.900]")
    assert table.rows[1] == ("role-swap", "wrong", "2", *cells, *cells)
    reports = [Report(name, {}, [ONE], phenomena={"f": [swap]}) for name in ("one", "two", "three")]
    phenomena, cost = side_by_side(reports, [])
    assert len(phenomena.headings) == 3 + 3 * 3
    assert [row[:2] for row in cost.rows] == [("f", "one"), ("f", "two"), ("f", "three")]
    assert cost.rows[0][2:] == ("1.0", "40", "120")
