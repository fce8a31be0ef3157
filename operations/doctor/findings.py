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
    """One line of the report. `remedy` is empty if nothing needs to be done.

    Without a `part` it is about the part that its check is named by in `probes`.
    """

    level: Level
    text: str
    remedy: str = ""
    part: str = ""


def ok(text: str) -> Finding:
    return Finding(Level.OK, text)


def warning(text: str, remedy: str) -> Finding:
    """Return a finding about something that works but should be looked at."""
    return Finding(Level.WARNING, text, remedy)


def error(text: str, remedy: str) -> Finding:
    """Return a finding about something that users notice, or soon will."""
    return Finding(Level.ERROR, text, remedy)


def worst_level(findings: Iterable[Finding]) -> Level:
    """Return the worst level among the findings, or OK."""
    return max((finding.level for finding in findings), default=Level.OK)
