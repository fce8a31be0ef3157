"""Boundary markers around retrieved text, so that a prompt can say where data begins and ends."""

import re
import secrets

from documents.injection.folding import fold_characters

_BOUNDARY = re.compile(r"[0-9A-Za-z]{16,64}", re.ASCII)
_MARKERS = re.compile(r"<{3,}|>{3,}|<\||\|>|\[/?INST\]|<<|>>")
"""Our own markers and the commonest chat templates'; each alternative is of fixed form."""
_DEFUSED = str.maketrans("<>|[]", "‹›¦⟦⟧")


def new_boundary() -> str:
    """Return a boundary that nobody can guess: 128 random bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def wrap(text: str, boundary: str) -> str:
    """Return the text between markers with the boundary; markers inside it are defused.

    Use a new boundary for each prompt. Raises ValueError for one that could be guessed.
    """
    if not _BOUNDARY.fullmatch(boundary):
        raise ValueError("A boundary has 16 to 64 ASCII letters and digits: use new_boundary().")
    return f"<<<DATA {boundary}>>>\n{neutralised(text, boundary)}\n<<<END DATA {boundary}>>>"


def mark_as_data(text: str) -> tuple[str, str]:
    """Return the wrapped text and the new boundary made for it."""
    boundary = new_boundary()
    return wrap(text, boundary), boundary


def neutralised(text: str, boundary: str) -> str:
    """Return the text without anything that reads as a marker or as the boundary.

    The search is on the folded text, so that full-width brackets or invisible characters inside a
    marker do not hide it; elsewhere the text is unchanged.
    """
    folded = fold_characters(text)
    pieces, copied_to = [], 0
    for start, end in _places(folded.text, boundary):
        first, last = folded.span(start, end)
        pieces += [text[copied_to:first], _defused(folded.text[start:end])]
        copied_to = max(copied_to, last)
    return "".join([*pieces, text[copied_to:]])


def _places(text: str, boundary: str) -> list[tuple[int, int]]:
    """Return the places of markers and the boundary, in order, not overlapping."""
    pattern = re.compile(f"{re.escape(boundary)}|{_MARKERS.pattern}", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


def _defused(marker: str) -> str:
    """Return look-alike brackets; the boundary itself is removed."""
    defused = marker.translate(_DEFUSED)
    return "[boundary removed]" if defused == marker else defused
