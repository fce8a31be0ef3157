"""USER_MEMORY.md and COMPANY_MEMORY.md as text."""

from datetime import UTC, datetime

from memory.files import FactLine, parse, render

AT = datetime(2026, 11, 21, 8, 5, 12, tzinfo=UTC)


def test_what_is_written_is_read_back() -> None:
    lines = (FactLine("I'm the site safety manager.", AT), FactLine("I prefer [metric] units.", AT))
    content = render("user", lines)
    assert content.startswith("# USER_MEMORY\n\n- [2026-11-21 08:05:12 UTC] I'm the site")
    assert parse(content).lines == lines
    assert parse(content).problems == ()


def test_dates_may_be_shorter_or_missing_but_not_invented() -> None:
    file = parse("- [2026-11-21] One.\n* Two.\n- [soon] Three.\nfour")
    assert [line.text for line in file.lines] == ["One.", "Two."]
    assert file.lines[1].stated_at is None
    assert [number for number, _ in file.problems] == [3, 4]
