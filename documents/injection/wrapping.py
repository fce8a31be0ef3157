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


def neutralised(text: str, boundary: str) -> str:
    """Return the text without anything that reads as a marker or as the boundary.

    The search is on the folded text, so that full-width brackets or invisible characters inside a
    marker do not hide it; elsewhere the text is unchanged.
    """
    folded = fold_characters(text)
    pattern = re.compile(f"{re.escape(boundary)}|{_MARKERS.pattern}", re.IGNORECASE)
    pieces, copied_to = [], 0
    for match in pattern.finditer(folded.text):
        first, last = folded.span(*match.span())
        defused = match[0].translate(_DEFUSED)
        pieces += [text[copied_to:first], "[boundary removed]" if defused == match[0] else defused]
        copied_to = max(copied_to, last)
    return "".join([*pieces, text[copied_to:]])
