"""Figures in words and as HTML."""

from html.parser import HTMLParser

from desk.dashboard.page_parts import Cell, Table, TableRow, count, in_percent, milliseconds, share

HOSTILE = '"><script>alert(1)</script>'


def test_a_share_of_nothing_is_a_dash_and_has_no_list() -> None:
    assert share(0, 0, "/list") == Cell("–")
    assert share(0, 5, "/list").href == ""
    assert share(1, 8, "/list") == Cell("12.5%", "/list", 12.5, 0.125)


def test_rare_is_not_nothing() -> None:
    assert in_percent(0, 10) == "0.0%"
    assert in_percent(1, 1_000) == "0.1%"
    assert in_percent(1, 3_000) == "0.033%"
    assert in_percent(1, 1_000_000_000) == "< 0.001%"


def test_counts_and_times() -> None:
    assert count(1_234, "/list") == Cell("1,234", "/list", 1234, 1234)
    assert count(0, "/list").href == ""
    assert milliseconds(None) == Cell("–")
    assert milliseconds(12.34).text == "12.3 ms"
    assert milliseconds(1234.5).text == "1,234 ms"


def test_names_of_clients_stay_text_in_the_page() -> None:
    tags: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

    table = Table(
        "t", "T", "Model", ("n",), (TableRow(Cell(HOSTILE, HOSTILE), (count(1, HOSTILE),)),)
    )
    Reader().feed(table.body)
    assert tags == ["tr", "th", "a", "td", "a"]


def test_only_columns_with_numbers_are_numbers() -> None:
    rows = (
        TableRow(Cell("a"), (Cell("–"), Cell("words"))),
        TableRow(Cell("b"), (count(3), Cell("more"))),
    )
    table = Table("t", "T", "x", ("n", "why"), rows)
    assert table.heads == [("n", True), ("why", False)]
