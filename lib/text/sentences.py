"""Sentences with code-point offsets: blocks first, then sentencex inside each block.

sentencex alone needs quadratic time for some texts (200,000 opening quotes: 21 s), so a
block is handed to it in pieces of bounded length, cut at a space.
"""

import re
from collections.abc import Iterator

import sentencex
from msgspec import Struct

from lib.text.blocks import BlockKind, blocks
from lib.text.words import word_set

_PIECE = 2_000
_CLOSERS = "*_`\"”'’»)]"
# sentencex cannot take lone surrogates, and panics on wide spaces such as U+2028 (fuzzed).
_UNSAFE_CHAR = re.compile("[\x80-\xa0\u1680\u2000-\u205f\u3000\ud800-\udfff]")
_UNSAFE = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD) | {
    point: 0x20 for point in range(0x80, 0x3001) if chr(point).isspace()
}
_STOP = re.compile(r"\.(?=\s+[“\"'(\[]?[A-ZÀ-ÖØ-Þ])")
_MONTHS = "Jan Feb Mar Apr May Jun June Jul July Aug Sep Sept Oct Nov Dec"
# sentencex takes the "h." of "38 km/h. The" and the "m." of "5 m. The" for an initial.
_UNIT = re.compile(
    rf"(?:\d\s(?:{_MONTHS.replace(' ', '|')})|"
    r"\d\s?(?:mph|kph|kmh|[dghlmst])|(?<![A-Za-z/])[^\W\d_]{1,4}[23²³]?/[^\W\d_]{1,4}[23²³]?)$"
)
_LONGEST_UNIT = 24
_NO = re.compile(r"(?<![\w.])[Nn]o$")
_WORD = re.compile(r"\.\s+[“\"'(\[]?(?:[A-ZÀ-ÖØ-Þ][a-zß-ÿ]|[AI]\s)")
_ABBREVIATED = re.compile(r"(?P<figure>\d ?)?\b(?P<word>[A-Za-z]{1,6}|[ei]\.[ge])\.\s*$")
_OPEN = word_set("ms mr mrs mx messrs dr prof e.g i.e viz")
"""Another word always follows these."""
_BEFORE_FIGURES = word_set(
    "approx ca circa max min no nos rm ch bldg art arts sec sect para paras fig figs vol vols ed p "
    "pp pg app ext tel cl sched est incl excl"
)
_SHORTENED = _BEFORE_FIGURES | word_set(
    f"{_MONTHS.lower()} mon tue tues wed thu thur thurs fri sat sun vs etc dept inc ltd co corp "
    "a.m p.m hrs mins secs"
)
"""A sentence may end with these, unless a small letter follows."""


class Sentence(Struct, frozen=True, gc=False):
    """Code points [start, end) of one sentence and the kind of block it stands in."""

    start: int
    end: int
    kind: BlockKind


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text in order; each table row, heading and code line is one."""
    safe = text.translate(_UNSAFE) if _UNSAFE_CHAR.search(text) else text
    sentences = list[Sentence]()
    for block in blocks(text):
        if block.kind not in (BlockKind.PROSE, BlockKind.ITEM):
            sentences.append(Sentence(block.start, block.end, block.kind))
            continue
        for start, end in _pieces(safe, block.start, block.end):
            for first, last in _bounds(safe[start:end]):
                sentence = Sentence(start + first, start + last, block.kind)
                sentences += _behind_units(safe, sentence)
    return sentences


def _behind_units(text: str, sentence: Sentence) -> Iterator[Sentence]:
    """Yield the sentence split behind units, dates and "no".

    "It stops at 38 km/h. Nobody lifts." and "No. Dogs stay out." are two, "no. A5" is one.
    """
    start = sentence.start
    for stop in _STOP.finditer(text, sentence.start, sentence.end - 1):
        before = max(start, stop.start() - _LONGEST_UNIT), stop.start()
        is_no = _NO.search(text, *before) and _WORD.match(text, stop.start())
        if is_no or _UNIT.search(text, *before):
            after = stop.end()
            while text[after].isspace():
                after += 1
            yield Sentence(start, after, sentence.kind)
            start = after
    yield Sentence(start, sentence.end, sentence.kind)


def _bounds(piece: str) -> list[tuple[int, int]]:
    """Return the boundaries inside one piece; the whole piece where the segmenter itself breaks.

    A Rust panic arrives as PanicException, which is no Exception: it is recognised by its name,
    since its module cannot be imported. Only the splitting suffers, no text is lost.
    """
    try:
        boundaries = sentencex.get_sentence_boundaries("en", piece)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return [(0, len(piece))]
    bounds = [(bound["start_index"], bound["end_index"]) for bound in boundaries]
    return _joined(piece, bounds)


def _joined(piece: str, bounds: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the bounds without those after "Ms.", before the figure of "Rm. 12" and in "Mon. to".

    Closing marks ("**It closed.** It …") belong to the sentence that they close.
    """
    joined = list[tuple[int, int]]()
    for start, end in bounds:
        first, last = joined[-1] if joined else (0, -1)
        if last == start:
            abbreviated = _ABBREVIATED.search(piece, max(first, start - _LONGEST_UNIT), start)
            if abbreviated and _goes_on(abbreviated, piece[start:end]):
                joined[-1] = (first, end)
                continue
            mark = start
            while mark < end and piece[mark] in _CLOSERS:
                mark += 1
            if mark == end or piece[mark].isspace():
                joined[-1], start = (first, mark), mark
        if start < end:
            joined.append((start, end))
    return joined


def _goes_on(abbreviated: re.Match[str], following: str) -> bool:
    word, first = abbreviated["word"].lower(), following.lstrip("“\"'([ ")[:1]
    if word in _OPEN:
        return True
    # "5 min. 3 more" measures.
    if word in _BEFORE_FIGURES and not abbreviated["figure"] and first.isdigit():
        return True
    return word in _SHORTENED and first.islower()


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield pieces of bounded length, cut behind a sentence, at a space, or else anywhere."""
    while end - start > _PIECE:
        cut = limit = start + _PIECE
        for stop in (". ", "! ", "? ", "。", " "):
            at = text.rfind(stop, start + 1, limit)
            if at > start:
                cut = at + len(stop)
                break
        yield start, cut
        start = cut
    yield start, end
