"""The headings of a text, and the heading of a position."""

from collections.abc import Iterator, Sequence

MOST_HEADING = 120
_MOST_RUN_ON = 60
"""Code points of a heading whose text follows in the very next line."""
_CLOSING = ".;:?!,"


def headings_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, title) of each heading.

    A heading is a short line between blank lines, or above its text, that does not end like a
    sentence; one with "#" or "§" may.
    """
    at, lines = 0, text.split("\n")
    for number, raw in enumerate(lines):
        if _is_heading(lines, number):
            yield at, raw.strip().strip("#* ").rstrip(".")
        at += len(raw) + 1


def heading_at(headings: Sequence[tuple[int, str]], at: int, above: str = "") -> str:
    """Return the last heading that begins at or before `at`, or `above`."""
    return next((title for start, title in reversed(headings) if start <= at), above)


def _is_heading(lines: list[str], at: int) -> bool:
    line = lines[at].strip()
    if not line or len(line) > MOST_HEADING:
        return False
    if line.startswith(("#", "§")):
        return True
    if not _is_blank(lines, at - 1) or at + 1 >= len(lines) or line[-1] in _CLOSING:
        return False
    return _is_blank(lines, at + 1) or _runs_on(line, lines[at + 1].strip())


def _runs_on(line: str, following: str) -> bool:
    """Return whether a short line is a heading right above its text: both begin afresh."""
    begins = following[:1].isupper() or following[:1].isdigit()
    return len(line) <= _MOST_RUN_ON and begins and ". " not in line


def _is_blank(lines: list[str], at: int) -> bool:
    return at < 0 or not lines[at].strip()
