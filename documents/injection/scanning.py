"""The scan: folds, segments, matches phrases, weighs planted requests, decodes base64."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence

from documents.injection.families import PHRASES, PhraseMatch, find
from documents.injection.folding import FoldedText, fold
from documents.injection.planted import askings, score, talk_around
from documents.injection.results import Family, InjectionScan, Match
from documents.injection.segments import SegmentedText, page
from lib.text.blocks import unwrapped

# One level of base64: runs that decode to readable text, with their place.

_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}", re.ASCII)
"""One repeated set and nothing after it, so it cannot backtrack."""


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield code points [start, end) of each base64 run and the text inside it."""
    for match in _RUN.finditer(text):
        inside = _decode(match[0])
        if inside and _readable(inside):
            yield match.start(), match.end(), inside


def _decode(run: str) -> str:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _readable(text: str) -> bool:
    """Return whether a text is mostly letters and spaces: a sentence, not an identifier."""
    good = sum(char.isalpha() or char in " .,!?'\n" for char in text)
    return good >= 0.85 * len(text) and " " in text.strip()


_BULLET = re.compile(r"^-(?= )", re.MULTILINE)
MOST = 200
"""Matches kept of one text, best first; a hostile text has thousands."""
_QUIET = 0.2
"""Planted scores under this are no evidence worth showing."""
_HIDDEN = 8
"""Tag characters in one text from which they are a hidden message, not the flag of Wales."""
_AMONG_TALK, _LONG, _MOSTLY = 0.7, 60, 0.5
"""Weight of a phrase in a text of at least so many tokens of which at least this share is talk."""
_DISGUISE = 0.2
"""Added to a disguised match: nobody writes so by chance."""


def scan(text: str) -> InjectionScan:
    """Scan a text that should be data for instructions to an assistant.

    Offsets are code points into the original text. The result is a signal, never a verdict. The
    mark of a list item is no word of it.
    """
    folded = fold(_BULLET.sub(" ", unwrapped(text)))
    cut = page(folded.text)
    hits = list(find(cut, PHRASES))
    matches = [*_matches(folded, cut, hits), *_decoded(folded), *_hidden(text)]
    matches.sort(key=lambda match: (-match.score, match.start))
    strongest = sorted(matches[:MOST], key=lambda match: (match.start, match.end))
    return InjectionScan(total(matches, phrase_weight(cut, hits)), tuple(strongest))


def total(matches: Iterable[Match], weight: float) -> float:
    """Return the sum of each family's best score; a planted request alone, or half in support.

    `weight` is the value of an undisguised phrase in this text.
    """
    best: dict[Family, float] = {}
    for match in matches:
        plain = match.family is not Family.PLANTED and not match.disguised
        score = match.score * weight if plain else match.score
        best[match.family] = max(score, best.get(match.family, 0.0))
    planted = best.pop(Family.PLANTED, 0.0)
    return round(min(1.0, max(planted, sum(best.values()) + planted / 2)), 4)


def phrase_weight(page: SegmentedText, hits: Sequence[PhraseMatch]) -> float:
    """Return the weight of phrases: less if the text around them addresses its reader throughout.

    Such a text is a prompt or a conversation, in which orders are normal.
    """
    if not hits:
        return 1.0
    rest, talk = talk_around(page, [(hit.first, hit.last) for hit in hits[:MOST]])
    return _AMONG_TALK if rest >= _LONG and talk >= _MOSTLY else 1.0


def _matches(
    folded_text: FoldedText, page: SegmentedText, hits: Iterable[PhraseMatch]
) -> Iterator[Match]:
    for hit in hits:
        yield _match(folded_text, page, hit.phrase.family, hit.first, hit.last, hit.phrase.score)
    for asking in askings(page):
        if (weight := score(asking)) >= _QUIET:
            segment = asking.segment
            yield _match(
                folded_text, page, Family.PLANTED, segment.first, segment.last, round(weight, 4)
            )


def _match(
    folded_text: FoldedText,
    page: SegmentedText,
    family: Family,
    first: int,
    last: int,
    weight: float,
) -> Match:
    start, end = page.tokens.starts[first], page.tokens.ends[last - 1]
    words = folded_text.text[start:end]
    start, end = folded_text.span(start, end)
    disguised = folded_text.disguised(start, end)
    return Match(family, start, end, words, min(1.0, weight + _DISGUISE * disguised), disguised)


def _decoded(folded_text: FoldedText) -> Iterator[Match]:
    """Yield the matches inside base64, located at the run that contains them."""
    for start, end, inside in decoded(folded_text.text):
        clear = fold(inside)
        cut = page(clear.text)
        for match in _matches(clear, cut, find(cut, PHRASES)):
            if match.family is not Family.PLANTED:
                weight = min(1.0, match.score + _DISGUISE)
                yield Match(match.family, *folded_text.span(start, end), match.words, weight, True)


def _hidden(text: str) -> Iterator[Match]:
    """Yield Unicode tag characters: text that only a machine reads."""
    if max(text, default="") < "\U000e0020":
        return
    at = [i for i, char in enumerate(text) if 0xE0020 <= ord(char) <= 0xE007E]
    if len(at) >= _HIDDEN:
        words = "".join(chr(ord(text[i]) - 0xE0000) for i in at[:80])
        yield Match(Family.ENCODING, at[0], at[-1] + 1, words, 0.6, True)
