"""Splits a text into overlapping chunks: spans of code points that end at a natural pause.

One pass. For each chunk only the half in which it may end is examined: a paragraph is preferred to
a sentence, that to a line, that to a word. No chunk begins or ends between a number and its unit,
unless the number alone fills half a chunk.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from documents.parsing.types import PageSpan
from lib.text.units import CURRENCIES, SCALES, SMALL
from lib.text.words import word_set

SIZE, OVERLAP = 500, 80
"""In code points."""

_GAP = re.compile(r"\s+")
_STOP = re.compile(r"[.!?…][\"'”’»)\]]{0,3}(?=\s)|[。！？；][”’」』）]{0,3}")
_ABBREVIATIONS = word_set(
    "e.g. i.e. etc. vs. cf. no. nos. fig. figs. eq. sec. ch. vol. pp. p. approx. ca. dr. mr. mrs. "
    "ms. st. prof. inc. ltd. co. u.s. u.k. para. art. max. min. ref. par."
)
_OPENING = "\"'“‘«([§¿¡-–—•*#"
_LONGEST_END = 12
_NEAR = 64
_LONGEST_UNIT = 24
"""Shorter words after a space are not cut: they might be the unit of a number."""

_LOOK_BACK, _LOOK_AHEAD = 80, 40
_MOST_GROUPS = 5
"""A number has no more groups of three digits; a longer row of them is a table."""
_THOUSANDS = re.compile(r"\d{3}(?!\d)")
_SHORT = re.compile(r"(?:^|\D)\d{1,3}$")
_GROUP = re.compile(r"\d{3}")
_FRACTION = re.compile(r"\d+/\d")
_NUMBER_END = re.compile(r"[\d½¼¾⅓⅔⅛⅜⅝⅞⁰¹²³⁴⁵⁶⁷⁸⁹°º˚]$")
_NUMBER_WORDS = SMALL.keys() | SCALES.keys()
_MODIFIERS = SCALES.keys() | word_set(
    "° º ˚ degree degrees deg deg. sq sq. square cu cu. cubic per metric nautical fluid fl fl. "
    "short long linear board troy imperial us u.s. / · gauge"
)
_CONNECTORS = word_set("- – — − to and or x × by ± / · + ~ ≈")
_RATIOS = word_set("per / ·")
_SIGNS = "%‰°º˚′″'\"µΩ€$£¥₹"
_BARE = "([{\"'“‘«~≈<>≤≥±+-−–"
_CELL, _LONGEST_ROW, _LONGEST_HEAD = " | ", 2_000, 400
"""Between the cells of a row; no chunk begins inside of one, so that a value keeps its name."""
_DIGIT = re.compile(r"\d")
_REACH = 8
"""Without spaces, how far behind a digit its unit may end: 38km/h, 10毫米."""
_ZERO_WIDTH_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """Code points [start, end) of chunk `ordinal` (from 0) of `total`.

    `page` is the one it begins on, `last_page` the one it ends on; None without pages.
    """

    ordinal: int
    total: int
    start: int
    end: int
    page: int | None = None
    last_page: int | None = None


def chunk(
    text: str, pages: Sequence[PageSpan] = (), *, size: int = SIZE, overlap: int = OVERLAP
) -> list[ChunkSpan]:
    """Split a text into chunks, in order; every non-space character is in at least one.

    `size` is the most code points a chunk has, `overlap` the most that two neighbours share. Only
    a chunk that begins with a sentence over a page break is on two pages. Raises ValueError for an
    overlap above half the size, with which chunks would hardly advance.
    """
    if size < 1 or not 0 <= overlap <= size // 2:
        raise ValueError(f"overlap {overlap} must be between 0 and half of size {size}")
    starts = [page.start for page in pages]
    spans = [
        (low + start, low + end)
        for low, high in pairwise((0, *_breaks(text, starts[1:]), len(text)))
        for start, end in _spans(text[low:high], size, overlap)
    ]
    return [
        ChunkSpan(
            *(ordinal, len(spans), start, end),
            page=_page(pages, starts, start),
            last_page=_page(pages, starts, end - 1),
        )
        for ordinal, (start, end) in enumerate(spans)
    ]


def table_head(text: str, start: int) -> str:
    """Return the first row of the table that goes on at `start`; "" where none does."""
    if _CELL not in text[start : start + _LONGEST_ROW].split("\n", 1)[0]:
        return ""
    head, end = "", start - 1
    while end > 0 and text[end] == "\n":
        begin = text.rfind("\n", 0, end) + 1
        if _CELL not in (row := text[begin:end]):
            break
        head, end = row, begin - 1
    return head if len(head) <= _LONGEST_HEAD else ""


def _page(pages: Sequence[PageSpan], starts: list[int], at: int) -> int | None:
    return pages[max(0, bisect_right(starts, at) - 1)].number if pages else None


def _breaks(text: str, starts: Sequence[int]) -> Iterator[int]:
    """Yield where pages begin, or before them the sentence that goes on in them."""
    last = 0
    for start in starts:
        if text[start - 1] == " ":
            stop = next(_sentences(text, max(last, start - SIZE), start - 1), None)
            last = stop[1] if stop else last
        else:
            last = start
        yield last


def _spans(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    start, length = _skip(text, 0), len(text.rstrip())
    while start < length:
        if length - start <= size:
            yield start, length
            return
        cut = _cut(text, start + size // 2 + 1, start + size)
        end = start + len(text[start:cut].rstrip())
        yield start, end
        following = _skip(text, cut)
        # After a wide gap the next chunk must begin behind it, or it could end before it again.
        near = following - (end - overlap) <= size // 2
        start = _resume(text, max(start + 1, end - overlap), end, following) if near else following


def _skip(text: str, at: int) -> int:
    """Return the first position from `at` that is no space."""
    match = _GAP.match(text, at)
    return match.end() if match else at


def _cut(text: str, low: int, high: int) -> int:
    """Return where the chunk ends, low <= cut <= high; the text continues after high."""
    for pauses in (partial(_at, "\n\n"), _sentences, partial(_at, "\n"), _words):
        for first, last in pauses(text, low, high + 1):
            if first <= high and not _is_inside_number(text, first, last):
                return first
    return _cut_inside(text, low, high)


def _cut_inside(text: str, low: int, high: int) -> int:
    """Return a cut in a text without usable spaces: Chinese, or one endless word."""
    gap = next(_words(text, low, high + 1), None)
    for cut in range(high, max(low, gap[1] + _LONGEST_UNIT if gap else low) - 1, -1):
        if _splittable(text, cut):
            return cut
    return gap[0] if gap else high


def _resume(text: str, low: int, end: int, following: int) -> int:
    """Return where the next chunk begins: low <= start <= end, or `following` without overlap."""
    for first, last in reversed(list(_sentences(text, low - 1, low + (end - low) // 2))):
        if not _is_inside_number(text, first, last):
            return last
    line_end = text.find("\n", low - 1, end)
    if line_end >= 0 and not _is_inside_number(text, line_end, _skip(text, line_end)):
        return _skip(text, line_end)
    if _CELL in text[max(text.rfind("\n", 0, low), low - _LONGEST_ROW) : end]:
        return following
    for gap in _GAP.finditer(text, low - 1, end):
        if not _is_inside_number(text, *gap.span()):
            return gap.end()
    if _GAP.search(text, low, end):
        return following
    return next((at for at in range(low, end) if _splittable(text, at)), following)


# Each of these gives the runs of spaces in [low, high) that are such a pause, the last first.
def _at(mark: str, text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    at = text.rfind(mark, low, high)
    while at >= low:
        first = low + len(text[low:at].rstrip())
        yield first, _skip(text, at)
        at = text.rfind(mark, low, first)


def _sentences(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    for stop in reversed(list(_STOP.finditer(text, low, high))):
        first = stop.end()
        last = _skip(text, first)
        if _ends_sentence(text, first, last) and not _is_inside_row(text, first, last):
            yield first, last


def _words(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield the gaps between words, last first, starting near the end, where one usually is."""
    near = max(low, high - _NEAR)
    for start, stop in ((near, high), (low, near)):
        for gap in reversed(list(_GAP.finditer(text, start, stop))):
            yield gap.span()


def _ends_sentence(text: str, first: int, last: int) -> bool:
    """Return whether a full stop ends a sentence, not an abbreviation or initial."""
    following = text[last : last + 1]
    if following.islower() or not (following.isalnum() or following in _OPENING):
        return False
    word = text[max(0, first - _LONGEST_END) : first].rpartition(" ")[2].lstrip("(")
    initial = len(word) == 2 and word[0].isalpha()
    return not initial and word.lower() not in _ABBREVIATIONS


def _is_inside_row(text: str, first: int, last: int) -> bool:
    """Return whether the spaces [first, last) are within a row of a table."""
    before = text[max(0, first - _LONGEST_ROW) : first].rpartition("\n")[2]
    after = text[last : last + _LONGEST_ROW].partition("\n")[0]
    return "\n" not in text[first:last] and _CELL in before + text[first:last] + after


# The rule of numbers is wider than the units that `lib.text.units` knows, since building codes are
# full of others (psi, kN, volts, board feet): whatever word follows a number belongs to it.
# That costs nothing but a cut one word earlier.
def _is_inside_number(text: str, first: int, last: int) -> bool:
    """Return whether the spaces [first, last) are inside a number or before its unit."""
    row = text[max(0, first - _LONGEST_ROW) : first].rpartition("\n")[2]
    if "\n" in text[first:last] and _CELL in row:
        return False  # a row ends here
    before = text[max(0, first - _LOOK_BACK) : first].split()[-_MOST_GROUPS - 1 :]
    after = text[last : last + _LOOK_AHEAD].split(None, 2)[:2]
    if not before or not after:
        return False
    left, right = before[-1].lower(), after[0].lower()
    if left.lstrip(_BARE).rstrip(".") in CURRENCIES and _starts_number(right):
        return True
    if _is_number(left):
        return _goes_on(before, right, after[1:])
    return _inside_unit(before, left, right)


def _splittable(text: str, at: int) -> bool:
    """Return whether a run of characters without spaces may be cut before position `at`."""
    if at >= len(text) or text[at - 1] == _ZERO_WIDTH_JOINER or text[at - 1] in CURRENCIES:
        return False
    if unicodedata.category(text[at]) in ("Mn", "Mc", "Me", "Cf"):
        return False
    return not _DIGIT.search(text, max(0, at - _REACH), at)


def _is_number(word: str) -> bool:
    return bool(_NUMBER_END.search(word)) or word.lstrip(_BARE).rpartition("-")[2] in _NUMBER_WORDS


def _starts_number(word: str) -> bool:
    return word.lstrip(_BARE + "$€£¥₹")[:1].isdigit() or word in _NUMBER_WORDS


def _goes_on(before: list[str], right: str, beyond: list[str]) -> bool:
    """Return whether a number continues: with three digits, a fraction, a range or its unit."""
    if right[0].isdigit():
        if _FRACTION.match(right):
            return True
        thousands = _SHORT.search(before[-1]) and _THOUSANDS.match(right)
        return bool(thousands) and not all(map(_GROUP.fullmatch, before[-_MOST_GROUPS:]))
    if right in _CONNECTORS and not right[0].isalpha():
        return right in _RATIOS or (bool(beyond) and _starts_number(beyond[0].lower()))
    return right[0].isalpha() or right[0] in _SIGNS


def _inside_unit(before: list[str], left: str, right: str) -> bool:
    """Return whether the cut is inside a unit: 5 to | 10 km, 5 square | feet, 38 km | per hour."""
    number = len(before) > 1 and _is_number(before[-2].lower())
    if number and (left in _MODIFIERS or right in _RATIOS):
        return True
    if number and left in _CONNECTORS:
        return _starts_number(right)
    return left in _RATIOS and len(before) > 2 and _is_number(before[-3].lower())
