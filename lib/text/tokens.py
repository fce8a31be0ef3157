"""Tokens with code-point offsets, for any script, in one linear pass.

The text is tokenised once and everything else works over token indices, so that no
later step needs a regular expression. The pattern cannot backtrack: its alternatives
begin with disjoint characters, but for the point of ".61", which a digit and what stands before
it tell from a full stop, and every repetition is separated by a fixed character.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import islice
from operator import attrgetter

from msgspec import Struct

from lib.text.stems import term

WORD, NUMBER, CJK, MARK = 1, 2, 3, 4
"""Kinds of token: a word, a digit run with separators, one ideograph, a run of one mark."""

_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯\U00020000-\U0003ffff"
# Combining marks: `\w` leaves them out, and without them Devanagari or Arabic words fall apart.
_COMBINING = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc\u09be-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd"
    "\u0b01-\u0b03\u0b3c-\u0b4d\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c4d"
    "\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3e-\u0d4d"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d\ufe20-\ufe2f"
)
_HEAD = rf"[^\W\d_{_CJK}]"
_TAIL = rf"[^\W{_CJK}]*+"
_PART = rf"{_HEAD}{_TAIL}(?:[{_COMBINING}]++{_TAIL})*+"
# A number may begin with its point, ".61", where that point ends nothing: "$.75", not "No.61".
_BARE = r"(?<![^\s\x1c-\x1f(\[{\"“‘'$€£¥±~≈<>=≤≥+\-−–—:|])\.\d+(?![.,]?\d)"
_DIGITS = rf"\d++(?:[.,]\d++)*+|{_BARE}"
# To ask for a character first spares all the rest at a space.
_TOKEN = re.compile(rf"(?=\S)(?:({_PART}(?:['’]{_PART})*+)|({_DIGITS})|([{_CJK}])|([^\w\s]|_)\4*+)")
# The same for ASCII text, where the sets are small: a third faster.
_ASCII_PART = r"[A-Za-z]\w*+"
_ASCII_TOKEN = re.compile(
    rf"(?=\S)(?:({_ASCII_PART}(?:'{_ASCII_PART})*+)|({_DIGITS})|((?!))"
    r"|([^\w\s\x1c-\x1f]|_)\4*+)",
    re.ASCII,
)


_KIND: Callable[[re.Match[str]], int] = attrgetter("lastindex")
"""Each of the patterns' four groups is one kind, and each match has one of them."""


class Tokens(Struct, frozen=True, gc=False):
    """Parallel columns, one entry a token; offsets are code points into the text."""

    words: list[str]
    lower: list[str]
    starts: list[int]
    ends: list[int]
    kinds: list[int]
    terms: list[str]
    """The stem of a content word or number; empty for stopwords, marks and ideographs."""

    def __len__(self) -> int:
        return len(self.words)

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return the indices [first, last) of tokens that begin in code points [start, end)."""
        first = bisect_left(self.starts, start)
        return first, bisect_left(self.starts, end, first)


def tokenize(text: str) -> Tokens:
    """Split a text into tokens; every non-space character falls into exactly one."""
    plain = text.isascii()
    matches = list((_ASCII_TOKEN if plain else _TOKEN).finditer(text))
    words = list(map(re.Match.group, matches))
    lower = list(map(str.lower, words))
    if not plain:
        lower = [word.replace("’", "'") for word in lower]
    kinds = list(map(_KIND, matches))
    terms = list(map(term, lower))
    if not plain:
        pairs = zip(terms, kinds, strict=True)
        terms = [word_term if kind in (WORD, NUMBER) else "" for word_term, kind in pairs]
    return Tokens(
        words,
        lower,
        list(map(re.Match.start, matches)),
        list(map(re.Match.end, matches)),
        kinds,
        terms,
    )


def numbers(tokens: Tokens, first: int, last: int) -> list[int]:
    """Return the places of the digit runs among tokens [first, last)."""
    kinds, places, at = tokens.kinds, list[int](), first
    for _ in range(kinds[first:last].count(NUMBER)):
        at = kinds.index(NUMBER, at) + 1
        places.append(at - 1)
    return places


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without marks.

    Much less work than all its tokens.
    """
    if text.isascii():
        return [
            number or word
            for word, number, _, _ in _ASCII_TOKEN.findall(text.lower())
            if number or word
        ]
    tokens = tokenize(text)
    return [word for word, kind in zip(tokens.lower, tokens.kinds, strict=True) if kind != MARK]


def bigrams(chars: list[str]) -> list[str]:
    """Return neighbouring ideographs in pairs: the terms of a script without spaces."""
    if len(chars) < 2:
        return chars
    return [a + b for a, b in zip(chars, islice(chars, 1, None), strict=False)]
