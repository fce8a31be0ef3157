"""Compares a claim's figures with its passages, using `analysis.engine.facts`.

A model that reads meaning mistakes a claim that differs only in figures for the passage's own
words. If figures conflict and nothing else differs, the conflict is certain.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus, memoise
from analysis.engine.facts.find import DERIVING, facts
from analysis.engine.facts.model import FactKind, FigureEvidence, Relation, TextSpan
from analysis.engine.facts.reading import Evidence, FigureQuery
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.stems import stem
from lib.text.tokens import NUMBER, Tokens
from lib.text.units import ABOUT
from lib.text.words import word_set

_DATED = (FactKind.DATE, FactKind.TIME, FactKind.DAYS)
_CONFLICTING = Relation.CONFLICTING


class Rewording(Struct, frozen=True, gc=False):
    """Code points [start, end) of a claim that mean the same as `text`, words of a source."""

    start: int
    end: int
    text: str


class FigureFacts(Struct, frozen=True, gc=False):
    """The facts about each figure of a claim; `passages` are indices into the corpus."""

    facts: tuple[FigureEvidence, ...]
    passages: tuple[int, ...]
    settled: frozenset[int]
    """The tokens of confirmed figures."""

    @classmethod
    def of(
        cls, claim_query: ClaimQuery, figured: FigureQuery, corpus: Corpus, order: Sequence[int]
    ) -> "FigureFacts":
        """Return the facts in ranked passages; none is a question, which states nothing."""
        passages = tuple(order)
        if not figured.figures:
            return cls((), passages, figured.contrasted)
        found_facts = facts(figured, [_evidence(corpus, index) for index in passages])
        settled = _tokens_of(claim_query, (fact for fact in found_facts if fact.supports))
        return cls(found_facts, passages, settled | figured.contrasted)

    def rewordings(self, claim_query: ClaimQuery, corpus: Corpus) -> tuple[Rewording, ...]:
        """Return the figures confirmed in other words, as the sources write them.

        Durations are written as from when to when, if all figures are confirmed: judges separate
        such claims better that way (docs/research/probability.md).
        """
        if not claim_query.own_words:
            return ()
        start = claim_query.tokens.starts[claim_query.first]
        items: dict[int, Rewording] = {}
        for fact in self.facts:
            # "Monday and Friday" lie within "Monday to Friday", and are not the same.
            is_same = fact.supports and not fact.is_within
            text = self._in_source_words(fact, corpus) if is_same else ""
            if text:
                begin, end = fact.claim_span
                items.setdefault(begin, Rewording(begin - start, end - start, text))
        return tuple(items[begin] for begin in sorted(items))

    def _in_source_words(self, fact: FigureEvidence, corpus: Corpus) -> str:
        if fact.derived or fact.evidence is None or fact.evidence_span is None:
            return fact.span if self.share == 1 else ""
        passage = corpus.passages[self.passages[fact.evidence]]
        # Of "Year: 2023" the name of the value is no part of the figure.
        text = corpus.visible_text(passage.source, *fact.evidence_span).rpartition(": ")[2]
        if "anyone" in fact.lead or "anybody" in fact.lead:
            # "Must not be used by anyone under 18" is not "must be used by anyone of 18".
            return ""
        return f"{fact.lead} {text}" if fact.lead and text else text

    @property
    def share(self) -> float | None:
        """The share of the claim's figures that are confirmed; None if it has none."""
        figures = self.facts
        return sum(fact.supports for fact in figures) / len(figures) if figures else None

    @property
    def conflicting(self) -> bool:
        """True if a passage states another figure for the same thing."""
        return any(fact.relation is _CONFLICTING for fact in self.facts)

    def opposed_tokens(self, claim_query: ClaimQuery) -> frozenset[int]:
        """Return the tokens of figures that a passage contradicts."""
        opposed = (fact for fact in self.facts if fact.relation is _CONFLICTING)
        return _tokens_of(claim_query, opposed)

    def conflicts(self) -> Iterator[tuple[int, tuple[Conflict, float]]]:
        """Yield the conflicts by passage (index), each with its subject match."""
        for fact in self.facts:
            if fact.relation is _CONFLICTING and fact.evidence is not None:
                kind = ConflictKind.DATE if fact.kind in _DATED else ConflictKind.NUMBER
                conflict = Conflict(kind, fact.reason, fact.certain)
                yield self.passages[fact.evidence], (conflict, fact.subject_match)


def question_of(claim_query: ClaimQuery) -> FigureQuery:
    """Return the figures of a claim, read once for all passages."""
    tokens, context = claim_query.tokens, claim_query.context
    return FigureQuery.of(TextSpan("", tokens, claim_query.first, claim_query.last, context))


@memoise
def _evidence(corpus: Corpus, index: int) -> Evidence:
    text = corpus.sources[corpus.passages[index].source].text
    stretch = TextSpan(text, *corpus.part(index), corpus.around(index))
    return Evidence(stretch, is_data=index in corpus.data)


def _tokens_of(claim_query: ClaimQuery, facts: Iterable[FigureEvidence]) -> frozenset[int]:
    """Return the claim's tokens of which these are facts."""
    spans = (claim_query.tokens.between(*fact.claim_span) for fact in facts)
    return frozenset(at for first, last in spans for at in range(first, last))


_FIGURES = frozenset((ConflictKind.NUMBER, ConflictKind.DATE))
_RATES = word_set("per each")
_QUOTED = re.compile(r"“([^”]*)”")


def has_different_figures(
    claim: ClaimQuery,
    corpus: Corpus,
    index: int,
    conflicts: Sequence[Conflict],
    figures: FigureFacts,
) -> bool:
    """Return whether a passage has all words of the claim except those figures, and few others."""
    if not conflicts or not {conflict.kind for conflict in conflicts} <= _FIGURES:
        return False
    tokens, first, last = corpus.part(index)
    words = {*tokens.lower[first:last], *claim.lower}
    if _is_rate(tokens, first, last):
        words |= _RATES
    if not words.isdisjoint(_RATES | DERIVING | ABOUT):
        return False
    passage = corpus.passages[index]
    conflict_terms, opposed = _named_terms(conflicts), figures.opposed_tokens(claim)
    # "3 inches" has the number of "3 feet", and another unit.
    numbers = {claim.tokens.terms[at] for at in opposed if claim.tokens.kinds[at] == NUMBER}
    if not (numbers - conflict_terms).isdisjoint(passage.terms):
        return False
    differing = conflict_terms.union(claim.tokens.terms[at] for at in figures.settled | opposed)
    others, near = claim.terms - differing, corpus.window(index)
    if not claim.context - differing <= near:
        return False
    if corpus.refers_back(index):
        others -= near - passage.terms
    theirs = passage.terms - claim.context - differing
    return bool(others) and others <= passage.terms and 2 * len(others) >= len(theirs)


def _is_rate(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a figure is a rate: "14 pounds a player" may be 112 in all."""
    places = range(first, last - 2)
    return any(tokens.kinds[at] == NUMBER and tokens.lower[at + 2] in ("a", "an") for at in places)


def _named_terms(conflicts: Sequence[Conflict]) -> frozenset[str]:
    """Return the terms that the conflicts quote from either side."""
    texts = (text for conflict in conflicts for text in _QUOTED.findall(conflict.detail))
    return frozenset(stem(word.lower()) for text in texts for word in text.split())
