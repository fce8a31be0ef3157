"""Text cut into marked pieces: claims of an answer, matching words of a passage."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from analysis.engine.types import ConflictKind
from lib.text.stems import stems
from lib.text.tokens import MARK, Tokens, tokenize
from lib.text.units import SMALL
from lib.text.words import STOPWORDS, word_set

SAME, AGAINST = "same", "against"
_QUOTED = re.compile("“([^”]*)”")
_EXCLUDES = re.compile("the source excludes “[^”]*”")
_NEGATIONS = word_set("not no never none nor without cannot")
_EXCLUSIONS = word_set(
    "exclude excludes excluded excluding exclusion exclusions except excepted exempt "
    "forbidden prohibited"
)


@dataclass(frozen=True, slots=True)
class Span:
    """Code points [start, end) marked with `key`."""

    start: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class MarkedSegment:
    """A piece of the text with the keys of every span that covers it.

    `opens` and `closes` name the spans that begin and end with this piece.
    """

    text: str
    keys: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()


def segments(text: str, spans: Iterable[Span]) -> list[MarkedSegment]:
    """Cut at every border of a span. The pieces joined are the text, whatever the spans.

    Spans may overlap; empty ones and parts outside the text are ignored.
    """
    clipped = (Span(max(0, s.start), min(len(text), s.end), s.key) for s in spans)
    inside = [span for span in clipped if span.start < span.end]
    starts, ends = _by(inside, "start"), _by(inside, "end")
    borders = sorted({0, len(text), *starts, *ends})
    segments: list[MarkedSegment] = []
    covering: dict[str, None] = {}
    for start, end in pairwise(borders):
        for key in ends.get(start, ()):
            covering.pop(key, None)
        covering |= dict.fromkeys(starts.get(start, ()))
        opens, closes = tuple(starts.get(start, ())), tuple(ends.get(end, ()))
        segments.append(MarkedSegment(text[start:end], tuple(covering), opens, closes))
    return segments


def doubted(
    text: str, words: Iterable[tuple[int, int, float]], at: float
) -> list[tuple[int, int, float]]:
    """Return words doubted from `at` on.

    Adjacent ones become one run with the highest probability.
    """
    runs: list[tuple[int, int, float]] = []
    for start, end, share in sorted(words):
        if share < at or not 0 <= start < end <= len(text):
            continue
        if runs and not text[runs[-1][1] : start].strip():
            before = runs.pop()
            runs.append((before[0], max(before[1], end), max(before[2], share)))
        else:
            runs.append((start, end, share))
    return runs


def shared_words(passage: str, claim: str) -> list[Span]:
    """Return where the passage has words and figures of the claim, compared by stem."""
    theirs = set(_content_stems(claim).values())
    places = [at for at, stem in _content_stems(passage).items() if stem in theirs]
    return _spans(tokenize(passage), places, SAME)


def differing_words(claim: str, passage: str) -> list[Span]:
    """Return where the claim differs from the passage: its figures, negations, or words.

    A word that only the passage negates differs as well: "covered" from "not covered".
    """
    tokens, content, theirs = tokenize(claim), _content_stems(claim), _content_stems(passage)
    negations = {at for at, word in enumerate(tokens.lower) if _is_negation(word)}
    denies = any(map(_is_negation, tokenize(passage).lower))
    own = differing_figures(claim, passage) or _spans(tokens, set() if denies else negations)
    own = own or ([] if negations else negated_words(claim, passage))
    differing = {at for at, stem in content.items() if stem not in theirs.values()}
    return own or _spans(tokens, differing - _figures(tokens).keys())


def differing_figures(text: str, other: str) -> list[Span]:
    """Return the figures of a text that the other does not have, or has less often.

    Of "in district 18 from 8 to 18", where the other says "to 16", it is the last: each figure
    is first paired with an equal one after the same word.
    """
    tokens, theirs = tokenize(text), _figures(tokenize(other))
    ours = _figures(tokens)
    for first in (0, 1):  # with the word before it, then by itself
        for at, figure in list(ours.items()):
            match = next((n for n, one in theirs.items() if one[first:] == figure[first:]), None)
            if match is not None:
                del ours[at], theirs[match]
    return _spans(tokens, ours)


def negated_words(text: str, other: str) -> list[Span]:
    """Return the words of a text that the other negates, as "covered" in "is not covered"."""
    content = list(_content_stems(other).items())
    denied = {
        next((stem for place, stem in content if place > at), "")
        for at, word in enumerate(tokenize(other).lower)
        if _is_negation(word)
    }
    places = [at for at, stem in _content_stems(text).items() if stem in denied]
    return _spans(tokenize(text), places)


def _figures(tokens: Tokens) -> dict[int, tuple[str, str]]:
    """Return each figure, in digits or as a word, with the word before it, by token index."""
    values = [f"{SMALL[word]:g}" if word in SMALL else word for word in tokens.lower]
    return {
        at: (values[at - 1] if at else "", value)
        for at, value in enumerate(values)
        if any(map(str.isdigit, value))
    }


def _spans(tokens: Tokens, places: Iterable[int], key: str = AGAINST) -> list[Span]:
    return [Span(tokens.starts[at], tokens.ends[at], key) for at in sorted(places)]


def says_the_same(passage: str, claim: str) -> bool:
    """Return whether the passage has all content words and figures of the claim.

    It also has as many negations.
    """
    passage_stems, claim_stems = _content_stems(passage), _content_stems(claim)
    denials = (sum(map(_is_negation, tokenize(text).lower)) for text in (passage, claim))
    has_all = set(claim_stems.values()) <= set(passage_stems.values())
    has_all = has_all and not differing_figures(claim, passage)
    return bool(claim_stems) and has_all and len(set(denials)) == 1


def opposing_words(passage: str, conflicts: Iterable[dict[str, str]], claim: str) -> list[Span]:
    """Return where the passage has words quoted by a conflict, or negations that oppose the claim.

    If the source excludes what the claim states, or no conflict is named and the claim itself
    negates nothing, only the negations are marked. Of a quoted "up to 14 days", only what the
    claim does not say too: "14".
    """
    conflict_list = list(conflicts)
    tokens = tokenize(passage)
    excludes = any(_EXCLUDES.search(c["detail"]) for c in conflict_list)
    excludes = excludes or not (conflict_list or any(map(_denies, tokenize(claim).lower)))
    negated = excludes or any(c["kind"] == ConflictKind.NEGATION for c in conflict_list)
    denying = {
        at for at, word in enumerate(tokens.lower)
        if negated and (_denies(word) if excludes else _is_negation(word))
    }  # fmt: skip
    details = (c["detail"] for c in conflict_list)
    quoting = (_EXCLUDES.sub("", detail) for detail in details) if denying else details
    quoted_stems = {
        stem
        for detail in quoting
        for part in _QUOTED.findall(detail)
        for stem in stems(tokenize(part).lower)
    }
    if not negated:
        quoted_stems = quoted_stems - set(stems(tokenize(claim).lower)) or quoted_stems
    return _spans(
        tokens,
        denying.union(
            at
            for at, stem in enumerate(stems(tokens.lower))
            if tokens.kinds[at] != MARK and stem in quoted_stems
        ),
    )


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't")


def _denies(word: str) -> bool:
    return _is_negation(word) or word in _EXCLUSIONS


def _content_stems(text: str) -> dict[int, str]:
    """Return the stems of the content words by token index."""
    tokens = tokenize(text)
    content_words = [
        at
        for at, word in enumerate(tokens.lower)
        if tokens.kinds[at] != MARK and word not in STOPWORDS
    ]
    return dict(zip(content_words, stems(tokens.lower[at] for at in content_words), strict=True))


def _by(spans: Iterable[Span], border: str) -> dict[int, list[str]]:
    keys: dict[int, list[str]] = {}
    for span in spans:
        keys.setdefault(getattr(span, border), []).append(span.key)
    return keys
