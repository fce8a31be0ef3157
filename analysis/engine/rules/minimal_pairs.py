"""Detects claims that differ from a passage only in figures.

A model that reads meaning mistakes such a claim for the passage's own words. If figures conflict
and nothing else differs, the conflict is certain.
"""

import re
from collections.abc import Iterator, Sequence

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.facts.find import DERIVING
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import FigureFacts
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.stems import stem
from lib.text.tokens import NUMBER, Tokens
from lib.text.units import ABOUT
from lib.text.words import word_set

Terms = frozenset[str]
_FIGURES = frozenset((ConflictKind.NUMBER, ConflictKind.DATE))
_RATES = word_set("per each")
_BREAKS = frozenset((",", ";", ":", "–", "—", "(", ")", "and", "but", "while"))
_LEAST_BESIDE_FIGURES = 2
"""Words beside a figure from which a part of a passage is about the same thing."""
_QUOTED = re.compile(r"“([^”]*)”")


def has_different_figures(
    claim: ClaimQuery,
    corpus: Corpus,
    index: int,
    conflicts: Sequence[Conflict],
    figures: FigureFacts,
) -> bool:
    """Return whether a passage, or part of it, has all words of the claim except those figures."""
    if not conflicts or not {conflict.kind for conflict in conflicts} <= _FIGURES:
        return False
    passage, tokens = corpus.passages[index], corpus.tokens[corpus.passages[index].source]
    words = {*tokens.lower[passage.first : passage.last], *claim.lower}
    if _is_rate(tokens, passage.first, passage.last):
        words |= _RATES
    differing = _terms_of_figures(claim, figures, conflicts)
    others = claim.terms - differing
    terms = tokens.terms[passage.first : passage.last]
    if _says_figure_too(claim, figures, terms, _named_terms(conflicts)):
        return False
    if not others or not words.isdisjoint(_RATES | DERIVING | ABOUT):
        return False
    near = passage.terms | corpus.around(index)
    if not claim.context - differing <= near:
        return False
    if corpus.refers_back(index):
        others -= near - passage.terms
    of_subject = claim.context & passage.terms
    parts = [passage.terms]
    if len(others) >= _LEAST_BESIDE_FIGURES:
        parts += _parts(tokens, passage.first, passage.last)
    return any(
        _says_no_more((part | of_subject) - differing, others, claim.context) for part in parts
    )


def _is_rate(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a figure is a rate: "14 pounds a player" may be 112 in all."""
    places = range(first, last - 2)
    return any(tokens.kinds[at] == NUMBER and tokens.lower[at + 2] in ("a", "an") for at in places)


def _says_figure_too(
    claim: ClaimQuery, figures: FigureFacts, theirs: Sequence[str], opposing: Terms
) -> bool:
    """Return whether the passage also has the claim's number, besides the conflicting one.

    "3 inches" has the number of "3 feet", and another unit.
    """
    tokens = claim.tokens
    numbers = {
        tokens.terms[at]
        for at in figures.opposed_tokens(claim)
        if tokens.kinds[at] == NUMBER and tokens.terms[at] not in opposing
    }
    return not numbers.isdisjoint(theirs)


def _says_no_more(theirs: Terms, others: Terms, context: Terms) -> bool:
    """Return whether part of a passage has all these words, and few others."""
    return bool(others) and others <= theirs and 2 * len(others) >= len(theirs - context)


def _parts(tokens: Tokens, first: int, last: int) -> Iterator[Terms]:
    """Yield the terms between commas, semicolons, colons and joining words of a passage."""
    start = first
    for at in range(first, last + 1):
        if at == last or tokens.lower[at] in _BREAKS:
            yield frozenset(filter(None, tokens.terms[start:at]))
            start = at + 1


def _terms_of_figures(
    claim: ClaimQuery, figures: FigureFacts, conflicts: Sequence[Conflict]
) -> Terms:
    """Return the terms of confirmed, contradicted and contradicting figures."""
    at = figures.settled | figures.opposed_tokens(claim)
    ours = {claim.tokens.terms[place] for place in at if claim.first <= place < claim.last}
    return frozenset(ours) | _named_terms(conflicts)


def _named_terms(conflicts: Sequence[Conflict]) -> Terms:
    """Return the terms that the conflicts quote from either side."""
    texts = (text for conflict in conflicts for text in _QUOTED.findall(conflict.detail))
    return frozenset(stem(word.lower()) for text in texts for word in text.split())
