"""A text as its reader sees it, with the offsets of the text as it was written, or in UTF-16."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from lib.text.sentences import Sentence, sentences
from lib.text.tokens import Tokens, tokenize

Span = tuple[int, int]
Edit = tuple[int, int, str]
"""Code points [start, end) and what stands there instead."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text as its reader sees it; `offsets[i]` is the offset of character i in the written text.

    `offsets` has one entry more than the text, for its end; it is empty where nothing changed.
    `ends[i]` is where character i ended as written; where it is empty, the next one follows at
    once.
    """

    text: str
    offsets: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def edited(self, edits: Iterable[Edit]) -> "Decoded":
        """Return the text with each edit made; edits are in order and do not overlap."""
        length = len(self.text)
        starts = self.offsets or range(length + 1)
        stops = self.ends or self.offsets[1:] or range(1, length + 1)
        parts, offsets, ends, position = list[str](), list[int](), list[int](), 0
        for start, end, plain in edits:
            parts += (self.text[position:start], plain)
            offsets += starts[position:start]
            offsets += [starts[start]] * len(plain)
            ends += stops[position:start]
            ends += [stops[end - 1]] * len(plain)
            position = end
        if not parts:
            return self
        parts.append(self.text[position:])
        offsets += starts[position:]
        ends += stops[position:]
        return Decoded("".join(parts), tuple(offsets), tuple(ends))

    def part(self, start: int, end: int) -> Span:
        """Return the range of the text that the written code points [start, end) became."""
        if not self.offsets:
            return start, end
        first = bisect_left(self.offsets, start, 0, len(self.text))
        return first, bisect_left(self.offsets, end, first, len(self.text))

    def written(self, first: int, last: int) -> Span:
        """Return the written code points that characters [first, last) of the text came from."""
        if not self.offsets or first == last:
            return first, last
        stops = self.ends or self.offsets[1:]
        return self.offsets[first], stops[last - 1]

    def tokens(self) -> Tokens:
        """Return the tokens of the text; their offsets are those of the text as written."""
        tokens = tokenize(self.text)
        if not self.offsets:
            return tokens
        starts = [self.offsets[at] for at in tokens.starts]
        stops = self.ends or self.offsets[1:]
        return replace(tokens, starts=starts, ends=[stops[at - 1] for at in tokens.ends])

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the text; their offsets are those of the text as written."""
        decoded_sentences = sentences(self.text)
        if not self.offsets:
            return decoded_sentences
        at = self.offsets
        return [replace(item, start=at[item.start], end=at[item.end]) for item in decoded_sentences]


_INK = re.compile(r"\S")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return the text with spaces in the spans; every other character stays in its place.

    Spans are in order and do not overlap. White space in them stays too.
    """
    parts, position = list[str](), 0
    for start, end in spans:
        parts += (text[position:start], _INK.sub(" ", text[start:end]))
        position = end
    return "".join([*parts, text[position:]]) if parts else text


def to_utf16(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the spans in UTF-16 code units, in the order given; one pass over the text.

    Raises ValueError for an offset outside the text.
    """
    of_two_units = [match.start() for match in _ASTRAL.finditer(text)]
    moved = list[Span]()
    for start, end in spans:
        if min(start, end) < 0 or max(start, end) > len(text):
            raise ValueError(f"offset outside the text of {len(text)} code points")
        before = bisect_left(of_two_units, start), bisect_left(of_two_units, end)
        moved.append((start + before[0], end + before[1]))
    return moved
