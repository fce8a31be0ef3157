"""Folds a text to what a reader sees, with a mapping to the original offsets.

Compatibility forms (NFKD without accents), look-alike letters of other scripts, invisible and bidi
characters, Unicode tag characters and digits for letters. Each step is one pass.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_INVISIBLE = frozenset(
    [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0]
).union(
    range(0x180B, 0x1810),
    range(0x200B, 0x2010),
    range(0x202A, 0x202F),
    range(0x2060, 0x2070),
    range(0xFE00, 0xFE10),
    range(0xE0100, 0xE01F0),
)
"""Zero-width and bidi characters, fillers, variation selectors."""
_TAGS = range(0xE0000, 0xE0080)
"""Unicode tags: ASCII that no font draws, used to smuggle instructions past a human reader."""
# Letters that look like a Latin one; from the "confusables" of Unicode TR 39, the common part.
_LOOKALIKE = str.maketrans(
    "абвгԁеёѕіїјкӏмнорԛгстуԝхһАВЕЅІЈКМНОРСТУХԌԜѴѵ"
    "αβεηικνορτυχϲγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
    "ıɑɡɩʟօսոհցᴀʙᴄᴅᴇꜰɢʜɪᴊᴋᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ",
    "abbrdeesiijklmhopqrctywxhABESIJKMHOPCTYXGWVv"
    "abenikvoptuxcyABEZHIKMNOPTYX"
    "iagilounhgabcdefghijkmnoprtuvwyz",
)
_LONGEST = 4
"""Characters one may unfold to: U+FDFA has 18, which would let a text grow eighteenfold."""
_BREAKS = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_LEET_WORD = re.compile(r"[A-Za-z0-9@$]+", re.ASCII)
_LEET = str.maketrans("013457@$", "oieastas")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text.

    `origin[i]` is the original code point of its character i, None if identical.
    """

    text: str
    origin: list[int] | None
    changed: frozenset[int]
    """Original code points that were invisible, look-alikes or digits read as letters."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original code points [start, end) of the folded ones."""
        if self.origin is None:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1

    def disguised(self, start: int, end: int) -> bool:
        """Return whether any character between these original code points was disguised."""
        if len(self.changed) < end - start:
            return any(start <= at < end for at in self.changed)
        return any(at in self.changed for at in range(start, end))


def fold(text: str) -> FoldedText:
    """Fold the text and read digits in words as letters."""
    return _unleet(fold_characters(text))


def fold_characters(text: str) -> FoldedText:
    """Fold the text character by character."""
    if text.isascii():
        return FoldedText(_newlines(text), None, frozenset())
    pieces: list[str] = []
    origin: list[int] = []
    positions: set[int] = set()
    for at, char in enumerate(text):
        folded, tricky = (char, False) if char.isascii() else _read(char)
        if tricky:
            positions.add(at)
        if folded:
            pieces.append(folded)
            origin.extend([at] * len(folded))
    return FoldedText(_newlines("".join(pieces)), origin, frozenset(positions))


def _newlines(text: str) -> str:
    for char in _BREAKS.intersection(text):
        text = text.replace(char, "\n")
    return text


@lru_cache(maxsize=4096)
def _read(char: str) -> tuple[str, bool]:
    """Return how one character reads, and whether that is a disguise."""
    visible_form = _visible_form(char)
    return visible_form, not visible_form or (
        visible_form.isascii() and visible_form != char and _tricky(char)
    )


def _tricky(char: str) -> bool:
    return ord(char) in _TAGS or char.translate(_LOOKALIKE) != char or _wide(char)


def _wide(char: str) -> bool:
    """Return whether a letter is full-width or mathematical, which prose never needs."""
    return 0xFF01 <= ord(char) <= 0xFF5E or 0x1D400 <= ord(char) <= 0x1D7FF


def _visible_form(char: str) -> str:
    """Return how one character reads; empty if it is invisible."""
    point = ord(char)
    if point in _TAGS:
        return chr(point - 0xE0000) if 0xE0020 <= point <= 0xE007E else ""
    if point in _INVISIBLE:
        return ""
    if char in _BREAKS:
        return char
    folded = unicodedata.normalize("NFKD", char.translate(_LOOKALIKE)).translate(_LOOKALIKE)
    if len(folded) > _LONGEST:
        return char
    return _PUNCTUATION.get(folded) or "".join(c for c in folded if not unicodedata.combining(c))


_PUNCTUATION = dict(zip("’‘‛`´“”„‟«»–—−‐‑", '\'\'\'\'\'""""""-----', strict=True)) | {"ß": "ss"}


def _unleet(folded_text: FoldedText) -> FoldedText:
    """Read digits inside words as letters: "1gn0r3" is "ignore", "H2O" stays."""
    if not any(char in folded_text.text for char in "013457@$"):
        return folded_text
    marks: list[int] = []

    def letters(match: re.Match[str]) -> str:
        word = match[0]
        if not _leet(word):
            return word
        first = match.start()
        marks.extend(first + i for i, char in enumerate(word) if not char.isalpha())
        return word.translate(_LEET)

    text = _LEET_WORD.sub(letters, folded_text.text)
    points = marks if folded_text.origin is None else [folded_text.origin[at] for at in marks]
    return FoldedText(text, folded_text.origin, folded_text.changed.union(points))


def _leet(word: str) -> bool:
    """Return whether a word mixes letters and substitutes: at least two of both if short."""
    if not 4 <= len(word) <= 20 or word.isalpha() or word.isdecimal():
        return False
    letters = sum(char.isalpha() for char in word)
    return (
        letters >= 2
        and len(word) - letters >= 2 - (len(word) >= 6)
        and word[1:] == word[1:].lower()
        and not (word[-1].isdecimal() and word.rstrip("0123456789@$").isalpha())
        and not (word[0].isdecimal() and word.lstrip("0123456789@$").isalpha())
    )
