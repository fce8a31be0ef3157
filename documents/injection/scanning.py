"""The scan: fold, cut, match phrases, weigh planted requests, look into base64."""

from collections.abc import Iterator

from documents.injection.decoding import decoded
from documents.injection.families import PHRASES
from documents.injection.folding import Folded, fold
from documents.injection.phrases import find
from documents.injection.planted import askings, score
from documents.injection.results import Family, InjectionScan, Match
from documents.injection.segments import Page, page

MOST = 200
"""Matches kept of one text, best first; a hostile text has thousands."""
_QUIET = 0.2
"""Planted scores under this are no evidence worth showing."""
_HIDDEN = 8
"""Tag characters in one text from which they are a hidden message, not the flag of Wales."""
_DISGUISE = 0.2
"""What a disguise adds to a match: nobody writes so by chance."""


def scan(text: str) -> InjectionScan:
    """Signs of instructions to an assistant inside a text that should be data.

    Offsets are code points into the text as given. A signal, never a verdict.
    """
    folded = fold(text)
    found = [*_matches(folded), *_decoded(folded), *_hidden(text)]
    found.sort(key=lambda match: (-match.score, match.start))
    kept = sorted(found[:MOST], key=lambda match: (match.start, match.end))
    return InjectionScan(_total(found), tuple(kept))


def _total(found: list[Match]) -> float:
    """The best score of each family added up; a planted request alone, or half of it in support."""
    best: dict[Family, float] = {}
    for match in found:
        best[match.family] = max(match.score, best.get(match.family, 0.0))
    planted = best.pop(Family.PLANTED, 0.0)
    return round(min(1.0, max(planted, sum(best.values()) + planted / 2)), 4)


def _matches(folded: Folded) -> Iterator[Match]:
    cut = page(folded.text)
    for hit in find(cut, PHRASES):
        yield _match(folded, cut, hit.phrase.family, hit.first, hit.last, hit.phrase.score)
    for asking in askings(cut):
        if (weight := score(asking)) >= _QUIET:
            segment = asking.segment
            yield _match(folded, cut, Family.PLANTED, segment.first, segment.last, round(weight, 4))


def _match(
    folded: Folded, cut: Page, family: Family, first: int, last: int, weight: float
) -> Match:
    start, end = cut.tokens.starts[first], cut.tokens.ends[last - 1]
    words = folded.text[start:end]
    start, end = folded.span(start, end)
    disguised = folded.disguised(start, end)
    return Match(family, start, end, words, min(1.0, weight + _DISGUISE * disguised), disguised)


def _decoded(folded: Folded) -> Iterator[Match]:
    """Matches inside base64, all placed on the run they were read from."""
    for start, end, inside in decoded(folded.text):
        for match in _matches(fold(inside)):
            if match.family is not Family.PLANTED:
                weight = min(1.0, match.score + _DISGUISE)
                yield Match(match.family, *folded.span(start, end), match.words, weight, True)


def _hidden(text: str) -> Iterator[Match]:
    """Unicode tag characters: text that only a machine reads."""
    if max(text, default="") < "\U000e0020":
        return
    at = [i for i, char in enumerate(text) if 0xE0020 <= ord(char) <= 0xE007E]
    if len(at) >= _HIDDEN:
        words = "".join(chr(ord(text[i]) - 0xE0000) for i in at[:80])
        yield Match(Family.ENCODING, at[0], at[-1] + 1, words, 0.6, True)
