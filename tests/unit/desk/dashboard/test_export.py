"""A table as CSV: numbers stay numbers, and no cell is a formula."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.dashboard.export import as_csv, harmless
from desk.dashboard.page_parts import Cell, Table, TableRow

FORMULAS = (
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "\ufeff=1", "＝1",
)  # fmt: skip


@pytest.mark.parametrize("words", FORMULAS)
def test_what_begins_as_a_formula_is_written_as_text(words) -> None:
    assert harmless(words) == f"'{words}"


@pytest.mark.parametrize("words", ["", "gpt-5", "a=b", "(none)", "5 to 9", "1 Nov"])
def test_other_words_stay(words) -> None:
    assert harmless(words) == words


@given(st.text())
def test_no_text_begins_as_a_formula(words) -> None:
    assert not harmless(words).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_heading_numbers_and_names() -> None:
    rows = (
        TableRow(Cell("=cmd|' /C calc'!A0"), (Cell("12.5 %", raw=0.125), Cell("–"), Cell("-2"))),
    )
    table = Table("t", "T", "Model", ("Share", "@x", "Words"), rows)
    read = list(csv.reader(io.StringIO(as_csv(table))))
    assert read == [
        ["Model", "Share", "'@x", "Words"],
        ["'=cmd|' /C calc'!A0", "0.125", "–", "'-2"],
    ]
