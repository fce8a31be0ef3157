"""A finding: how bad it is, what is the matter, and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How bad a finding is; the exit status of `manage.py doctor` is 1 from ERROR on."""

    OK = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `remedy` is empty where nothing is to be done."""

    part: str
    level: Level
    text: str
    remedy: str = ""


def ok(part: str, text: str) -> Finding:
    return Finding(part, Level.OK, text)


def warning(part: str, text: str, remedy: str) -> Finding:
    """It works, but should be looked at."""
    return Finding(part, Level.WARNING, text, remedy)


def error(part: str, text: str, remedy: str) -> Finding:
    """Something that users notice, or soon will."""
    return Finding(part, Level.ERROR, text, remedy)


def worst_level(findings: Iterable[Finding]) -> Level:
    """The worst level among the findings; OK where there are none."""
    return max((finding.level for finding in findings), default=Level.OK)
