"""Claims that differ from a passage in one thing alone: "Dogs are allowed", "Dogs are not allowed".

A model that reads meaning takes such a claim for the passage's own words. Where words or figures
name what is different, and nothing else is, they are certain.
"""

import re
from collections.abc import Iterator, Sequence

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.facts.find import DERIVING
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import FigureFacts
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.opposites import ANTONYMS
from lib.text.stems import stem
from lib.text.tokens import NUMBER, Tokens
from lib.text.units import ABOUT
from lib.text.words import word_set

Terms = frozenset[str]
_FIGURES = frozenset((ConflictKind.NUMBER, ConflictKind.DATE))
_WORDS = frozenset((ConflictKind.NEGATION, ConflictKind.ANTONYM))
_BOUNDING = word_set(
    "until till before unless except only but however although though other than if when whether "
    "all every always just necessarily yet later earlier without exceed more less fewer some any "
    "most usually normally generally otherwise besides either neither nor"
)
"""Beside these words what is denied, or said, holds of a part: "not due until 5 May"."""
_RATES = word_set("per each")
_ORDERS = word_set("before after earlier later more less fewer")
"""Bounding words that may be what differs."""
_BREAKS = frozenset((",", ";", ":", "–", "—", "(", ")", "and", "but", "while"))
_LEAST_BESIDE_FIGURES = 2
"""Words beside a figure from which a part of a passage is about the same thing."""
_QUOTED = re.compile(r"“([^”]*)”")


def differs_alone(
    claim: ClaimQuery,
    corpus: Corpus,
    index: int,
    conflicts: Sequence[Conflict],
    figures: FigureFacts,
) -> bool:
    """Whether a passage, or a part of it, has all words of the claim but those in conflict."""
    kinds = {conflict.kind for conflict in conflicts}
    passage, tokens = corpus.passages[index], corpus.tokens[corpus.passages[index].source]
    terms = tokens.terms[passage.first : passage.last]
    theirs, ours = {*tokens.lower[passage.first : passage.last]}, {*claim.modifiers.lower}
    words = theirs | ours
    if _is_rate(tokens, passage.first, passage.last):
        words |= _RATES
    if kinds <= _FIGURES:
        differing = _terms_of_figures(claim, figures, conflicts)
        bars, least = _RATES | DERIVING | ABOUT, _LEAST_BESIDE_FIGURES
        said_too = _says_figure_too(claim, figures, terms, _named_terms(conflicts))
    elif kinds <= _WORDS and (kinds == {ConflictKind.ANTONYM} or not claim.facts.negative):
        differing, bars, least = _named_terms(conflicts), _BOUNDING, 1
        words = (theirs ^ ours) - {word for word in _ORDERS if stem(word) in differing}
        said_too = _says_both(differing, claim, terms, denied=ConflictKind.NEGATION in kinds)
    else:
        return False
    others = claim.terms - differing
    if said_too or not others or not words.isdisjoint(bars):
        return False
    near = passage.terms | corpus.around(index)
    if not claim.context - differing <= near:
        return False
    if corpus.refers_back(index):
        others -= near - passage.terms
    of_subject = claim.context & passage.terms
    parts = [passage.terms]
    if len(others) >= least:
        parts += _parts(tokens, passage.first, passage.last)
    return any(
        _says_no_more((part | of_subject) - differing, others, claim.context) for part in parts
    )


def _is_rate(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a figure counts by something: "14 pounds a player" may be 112 in all."""
    places = range(first, last - 2)
    return any(tokens.kinds[at] == NUMBER and tokens.lower[at + 2] in ("a", "an") for at in places)


def _says_figure_too(
    claim: ClaimQuery, figures: FigureFacts, theirs: Sequence[str], opposing: Terms
) -> bool:
    """Whether the passage has the claim's number besides the one that opposes it.

    "3 inches" has the number of "3 feet", and another unit.
    """
    tokens = claim.tokens
    numbers = {
        tokens.terms[at]
        for at in figures.opposed_tokens(claim)
        if tokens.kinds[at] == NUMBER and tokens.terms[at] not in opposing
    }
    return not numbers.isdisjoint(theirs)


def _says_both(differing: Terms, claim: ClaimQuery, theirs: Sequence[str], *, denied: bool) -> bool:
    """Whether the passage says what the claim says besides what it is held to say instead."""
    if denied:
        return any(theirs.count(term) > 1 for term in differing & claim.terms)
    ours = differing & claim.terms
    alike = frozenset[str]().union(*(ANTONYMS.get(term, ()) for term in differing - ours))
    return not (ours | alike).isdisjoint(theirs)


def _says_no_more(theirs: Terms, others: Terms, context: Terms) -> bool:
    """Whether part of a passage has all these words, and few others."""
    return bool(others) and others <= theirs and 2 * len(others) >= len(theirs - context)


def _parts(tokens: Tokens, first: int, last: int) -> Iterator[Terms]:
    """The terms between the commas, semicolons, colons and joining words of a passage."""
    start = first
    for at in range(first, last + 1):
        if at == last or tokens.lower[at] in _BREAKS:
            yield _terms(tokens, start, at)
            start = at + 1


def _terms(tokens: Tokens, first: int, last: int) -> Terms:
    return frozenset(filter(None, tokens.terms[first:last]))


def _terms_of_figures(
    claim: ClaimQuery, figures: FigureFacts, conflicts: Sequence[Conflict]
) -> Terms:
    """The terms of the claim's figures that are borne out or opposed, and those that oppose."""
    at = figures.settled | figures.opposed_tokens(claim)
    ours = {claim.tokens.terms[place] for place in at if claim.first <= place < claim.last}
    return frozenset(ours) | _named_terms(conflicts)


def _named_terms(conflicts: Sequence[Conflict]) -> Terms:
    """The terms that the conflicts quote of either side."""
    texts = (text for conflict in conflicts for text in _QUOTED.findall(conflict.detail))
    return frozenset(stem(word.lower()) for text in texts for word in text.split())
