"""The answer cut into marked pieces, one part at a time."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.utils.translation import gettext as _

from analysis.engine.types import Band, ClaimStatus
from desk.verdict_page import words
from desk.verdict_page.marking import MarkedSegment, Span, segments
from desk.verdict_page.selectors import ClaimLine, Doubt

PART = 200
"""Claims in one part of an answer; a page with thousands of marks is slow to make and to read."""
LISTED = 25
"""Claims on one page of their list."""
SEVERITY = (ClaimStatus.SUPPORTED, ClaimStatus.LOW_CONFIDENCE, ClaimStatus.CONTRADICTORY)
_BANDS = (Band.HIGH, Band.MEDIUM, Band.LOW)
_DOUBT, _DIFFERS = "?", "!"
_FIELD = re.compile(r"""["']?[^"'\n]+["']\s*:""")
_JOINT = re.compile(r"""["']\s*:\s*\[?\s*["']?""")
_CELLS = re.compile(r"\s+\|\s+")
_QUOTES = ('"', "'")


@dataclass(frozen=True, slots=True)
class Head:
    """One claim as the answer, the lists and its own panel name it."""

    number: int
    text: str
    status: str
    kind: str
    suppressed: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a claim that are doubted alike; `doubt` is "82 %", empty for none.

    `differs`: its source has other words in their place.
    """

    text: str
    doubt: str = ""
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the answer that belongs to one claim (the most severe of several) or none.

    `first` is false if the claim continues after another one inside it.
    """

    claim: Head | None
    first: bool
    runs: list[Run]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A part of the answer; `numbers` are those of all parts."""

    number: int
    numbers: range
    pieces: list[Piece]

    @property
    def has_doubts(self) -> bool:
        """True if any word in it is doubted."""
        return any(run.doubt for piece in self.pieces for run in piece.runs)


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """A page of the claims, the most severe first."""

    number: int
    numbers: range
    heads: list[Head]
    total: int

    @property
    def near(self) -> list[int]:
        """The linked pages: the ends and the neighbours of this one; 0 is a gap."""
        numbers = [
            n for n in self.numbers if n in (1, self.numbers[-1]) or abs(n - self.number) < 3
        ]
        gaps = ([0] if b - a > 1 else [] for a, b in zip([0, *numbers], numbers, strict=False))
        return [number for gap, page in zip(gaps, numbers, strict=True) for number in (*gap, page)]


def head(answer: str, line: ClaimLine, suppressed: Collection[int] = ()) -> Head:
    """Return the claim's words and verdict; `suppressed` are the numbers of removed claims."""
    text = "".join(run.text for run in claim_runs(answer, line, ()))
    return Head(line.number, text, *outcome(line), line.number in suppressed)


def outcome(line: ClaimLine) -> tuple[str, str]:
    """Return a claim's status in words and its style, which is amber where it is only doubted."""
    status, kind = words.claim_words(line.status)
    return status, "unsure" if line.is_doubted else kind


def most_severe_first(lines: Sequence[ClaimLine]) -> list[ClaimLine]:
    """Return the most severe claims first, of supported ones the least sure; else in text order."""
    return sorted(lines, key=lambda line: (-SEVERITY.index(line.status), -_doubtful(line)))


def weakest_support(lines: Sequence[ClaimLine]) -> Band:
    """Return the band of the least sure support of any claim."""
    return _BANDS[max(map(_doubtful, lines), default=0)]


def claim_page(
    answer: str, lines: Sequence[ClaimLine], number: int, withheld: Collection[int] = ()
) -> ClaimPage:
    """Return page `number` of the list, or the first if there is no such page.

    `withheld` are the numbers of the claims that it names without their words.
    """
    numbers = _pages(len(lines), LISTED)
    number = number if number in numbers else 1
    page_lines = most_severe_first(lines)[(number - 1) * LISTED : number * LISTED]
    heads = [head(answer, line, withheld) for line in page_lines]
    heads = [replace(each, text=_("claim withheld")) if each.suppressed else each for each in heads]
    return ClaimPage(number, numbers, heads, len(lines))


def part_of(line: ClaimLine) -> int:
    """Return the number of the part in which a claim begins."""
    return (line.number - 1) // PART + 1


def bounds(answer: str, lines: Sequence[ClaimLine], number: int) -> tuple[int, int]:
    """Return code points [start, end) of part `number`; parts meet where a claim begins."""
    first, after = (number - 1) * PART, number * PART
    start = lines[first].start if 0 < first < len(lines) else 0
    return start, lines[after].start if after < len(lines) else len(answer)


def numbers_of(lines: Sequence[ClaimLine]) -> range:
    """Return the numbers of all parts; there is at least one."""
    return _pages(len(lines), PART)


def inside(answer: str, lines: Sequence[ClaimLine], number: int) -> list[ClaimLine]:
    """Return the claims that overlap part `number`."""
    start, end = bounds(answer, lines, number)
    return [line for line in lines if line.start < end and line.end > start]


def part(
    answer: str,
    lines: Sequence[ClaimLine],
    number: int,
    doubts: Sequence[Doubt] = (),
    suppressed: Collection[int] = (),
    differing: Sequence[Span] = (),
) -> AnswerPart:
    """Return part `number` of the answer; the runs of all parts joined are the answer.

    `doubts` are runs of doubted words, none overlapping another; in place of the `differing` words
    a source has others.
    """
    start, end = bounds(answer, lines, number)
    part_lines = inside(answer, lines, number)
    heads = {str(line.number): (line, head(answer, line, suppressed)) for line in part_lines}
    spans = [Span(line.start - start, line.end - start, key) for key, (line, _) in heads.items()]
    spans += [Span(a - start, b - start, f"{_DOUBT}{n}") for n, (a, b, _) in enumerate(doubts)]
    spans += [Span(word.start - start, word.end - start, _DIFFERS) for word in differing]
    shares = {f"{_DOUBT}{n}": words.percent(share) for n, (_, _, share) in enumerate(doubts)}
    cut = segments(answer[start:end], spans)
    return AnswerPart(number, numbers_of(lines), _pieces(cut, heads, shares))


def claim_runs(answer: str, line: ClaimLine, doubts: Sequence[Doubt]) -> list[Run]:
    """Return the claim's words with the doubted ones apart.

    A JSON field reads as "status: closed", a row of a table as "Plus · 12.90 €".
    """
    start, end, text = line.start, line.end, answer[line.start : line.end]
    is_field = _FIELD.match(text)
    if is_field or (text[:1] in _QUOTES and text[:1] == text[-1:]):
        start, end = start + text.startswith(_QUOTES), end - text.endswith(_QUOTES)
    spans = [
        Span(max(0, a - start), b - start, words.percent(s)) for a, b, s in doubts if b > start
    ]
    text = answer[start:end]
    pattern, joint = (_JOINT, ": ") if is_field else (_CELLS, " · ")
    return [
        Run(pattern.sub(joint, piece.text), "".join(piece.keys[:1]))
        for piece in segments(text, spans)
    ]


def _pieces(
    segments: Sequence[MarkedSegment],
    heads: dict[str, tuple[ClaimLine, Head]],
    shares: dict[str, str],
) -> list[Piece]:
    pieces = []
    for key, group in groupby(segments, key=lambda segment: _most_severe(segment, heads)):
        together = list(group)
        first = any(key in segment.opens for segment in together)
        claim = heads[key][1] if key else None
        pieces.append(Piece(claim, first, [_run(s, shares, claim) for s in together]))
    return pieces


def _run(segment: MarkedSegment, shares: dict[str, str], claim: Head | None) -> Run:
    doubt = next((shares[key] for key in segment.keys if key in shares), "")
    return Run(segment.text, doubt if claim else "", _DIFFERS in segment.keys)


def _doubtful(line: ClaimLine) -> int:
    """Return how unsure the support of a claim is: 0 to 2."""
    if line.status is not ClaimStatus.SUPPORTED or line.band is None:
        return 0
    return _BANDS.index(line.band)


def _most_severe(segment: MarkedSegment, heads: dict[str, tuple[ClaimLine, Head]]) -> str:
    """Return the key of the most severe claim on the segment, of equals the first."""
    covering = [key for key in segment.keys if key in heads]
    return max(covering, key=lambda key: SEVERITY.index(heads[key][0].status), default="")


def _pages(total: int, size: int) -> range:
    return range(1, max(1, -(-total // size)) + 1)
