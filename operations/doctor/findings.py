"""A finding: its severity, the problem, and the remedy."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """The severity of a finding; `manage.py doctor` exits with 1 from ERROR on."""

    OK = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `remedy` is empty if nothing needs to be done."""

    part: str
    level: Level
    text: str
    remedy: str = ""


def ok(part: str, text: str) -> Finding:
    return Finding(part, Level.OK, text)


def warning(part: str, text: str, remedy: str) -> Finding:
    """Return a finding about something that works but should be looked at."""
    return Finding(part, Level.WARNING, text, remedy)


def error(part: str, text: str, remedy: str) -> Finding:
    """Return a finding about something that users notice, or soon will."""
    return Finding(part, Level.ERROR, text, remedy)


def worst_level(findings: Iterable[Finding]) -> Level:
    """Return the worst level among the findings, or OK."""
    return max((finding.level for finding in findings), default=Level.OK)
