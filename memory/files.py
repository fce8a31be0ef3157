"""USER_MEMORY.md and COMPANY_MEMORY.md: one dated bullet per fact."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

TITLES = {"user": "USER_MEMORY", "company": "COMPANY_MEMORY"}
_BULLET = re.compile(r"^[-*] (?:\[(?P<at>[^\]]{1,40})\] )?(?P<text>\S.*)$")
_FORMS = ("%Y-%m-%d %H:%M:%S UTC", "%Y-%m-%d %H:%M UTC", "%Y-%m-%d")


@dataclass(frozen=True, slots=True)
class FactLine:
    """One fact of a file; `stated_at` is None if the bullet has no date."""

    text: str
    stated_at: datetime | None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The facts of a file, and invalid lines with number and reason."""

    lines: tuple[FactLine, ...]
    problems: tuple[tuple[int, str], ...]


def file_name(target: str) -> str:
    """Return the name of a memory's file: USER_MEMORY.md or COMPANY_MEMORY.md."""
    return f"{TITLES[target]}.md"


def render(target: str, lines: Iterable[FactLine]) -> str:
    """Return the file, oldest fact first; `parse` reads it back."""
    bullets = [f"- [{_written_time(line.stated_at)}] {line.text}" for line in lines]
    return "\n".join([f"# {TITLES[target]}", "", *bullets]) + "\n"


def parse(content: str) -> ParsedFile:
    """Parse the bullets of a file. Headings and empty lines are ignored, all else is a problem."""
    lines, problems = list[FactLine](), list[tuple[int, str]]()
    for number, raw in enumerate(content.splitlines(), 1):
        row = raw.strip()
        if not row or row.startswith("#"):
            continue
        match = _BULLET.match(row)
        at = _read(match["at"]) if match and match["at"] else None
        if not match:
            problems.append((number, 'A fact is a line "- [2026-11-21 08:00 UTC] text".'))
        elif match["at"] and at is None:
            problems.append((number, f"{match['at']!r} is no date such as 2026-11-21 08:00 UTC."))
        else:
            lines.append(FactLine(match["text"], at))
    return ParsedFile(tuple(lines), tuple(problems))


def _written_time(at: datetime | None) -> str:
    return f"{(at or datetime.now(UTC)).astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _read(text: str) -> datetime | None:
    for form in _FORMS:
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
