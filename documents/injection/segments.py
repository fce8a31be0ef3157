"""Splits a folded text into segments: lines, and sentences and table cells within lines.

Coarser tools would do for prose. Mails and tables run sentences together ("email.If you"), and an
instruction planted there is only found as a segment of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lib.text.tokens import NUMBER, WORD, Tokens, tokenize

_ENDERS = frozenset(".!?")
LONGEST = 120
"""Tokens after which a segment is cut: no sentence a planted request opens is longer."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Tokens [first, last) of one sentence, line or table cell."""

    first: int
    last: int
    opens_line: bool
    ends_line: bool


@dataclass(frozen=True, slots=True)
class SegmentedText:
    """A folded text with its tokens and segments."""

    text: str
    tokens: Tokens
    segments: tuple[Segment, ...]


def page(text: str) -> SegmentedText:
    """Tokenise and segment, each in one pass."""
    tokens = tokenize(text)
    return SegmentedText(text, tokens, tuple(_segments(text, tokens)))


def _segments(text: str, tokens: Tokens) -> Iterator[Segment]:
    first, opens = 0, True
    for at in range(1, len(tokens) + 1):
        if at == len(tokens):
            yield Segment(first, at, opens, True)
        elif (line := _new_line(text, tokens, at)) or _cut(text, tokens, first, at):
            yield Segment(first, at, opens, line)
            first, opens = at, line


def _new_line(text: str, tokens: Tokens, at: int) -> bool:
    return text.find("\n", tokens.ends[at - 1], tokens.starts[at]) >= 0


def _cut(text: str, tokens: Tokens, first: int, at: int) -> bool:
    """Return whether a segment ends before this token, within a line."""
    before = tokens.words[at - 1]
    if at - first >= LONGEST or _border(tokens, at) or _border(tokens, at - 1):
        return True
    if before[0] not in _ENDERS:
        return False
    gap = tokens.starts[at] > tokens.ends[at - 1]
    return _sentence_begins(tokens, at, gap) and not _initial(tokens, first, at)


def _border(tokens: Tokens, at: int) -> bool:
    """Return whether a token is the border of a table cell, not of a token like "<|system|>"."""
    if tokens.words[at][0] != "|":
        return False
    after = tokens.words[at + 1][0] if at + 1 < len(tokens) else ""
    return after != ">" and (at == 0 or tokens.words[at - 1][-1] != "<")


def _sentence_begins(tokens: Tokens, at: int, gap: bool) -> bool:
    if tokens.kinds[at] == WORD:
        return gap or (tokens.words[at][0].isupper() and tokens.words[at - 2][-1:].islower())
    return gap and (tokens.kinds[at] == NUMBER or tokens.words[at] in "\"'([*-#`")


def _initial(tokens: Tokens, first: int, at: int) -> bool:
    """Return whether a full stop follows an initial: "J. Smith"."""
    return at - 2 >= first and len(tokens.words[at - 2]) == 1 and tokens.words[at - 2].isupper()
