"""Claims and passages, read once: their figures, the figures' subjects, negations.

The subject of a figure: the words nearest to it, and those of its sentence.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from math import fsum

from msgspec import Struct

from analysis.engine.facts.figures import EDGE_WORDS, Figure, figures
from analysis.engine.facts.model import FactKind, TextSpan
from lib.text.names import capitals
from lib.text.negation import negations
from lib.text.stems import stem, stems
from lib.text.tokens import MARK, NUMBER, WORD
from lib.text.units import ABOUT
from lib.text.verbs import finite_form
from lib.text.words import word_set

_APART = 6
"""A comma or an "and" between a word and a figure counts as this many words."""
_DELIMITERS = word_set("and but while whereas or , ;")
_OTHERS = 0.3
"""Weight of the words of the claim that stand nearer to another of its figures."""
_ELSEWHERE = 0.4
"""Weight of a word of the sentence for a figure that is not the nearest to it."""
_AROUND = 0.3
"""The same of a word in a neighbouring sentence or the title."""
_VERB = 0.5
"""Weight of a verb beside that of a noun."""
_DATED = (FactKind.DATE, FactKind.DAYS)
_AMOUNTS = (
    FactKind.NUMBER, FactKind.MONEY, FactKind.PERCENT, FactKind.MEASURE, FactKind.DURATION,
)  # fmt: skip
"""To these, the dates and days beside them are part of the subject."""
_PRICES = word_set("cost costs price priced charge charged pay pays paid")
_SPANS = word_set("last lasts lasted take takes took long")
_RESTATED = {
    FactKind.MONEY: frozenset(stems(_PRICES)),
    FactKind.TIME: frozenset(stems(EDGE_WORDS)),
    FactKind.DATE: frozenset(stems(EDGE_WORDS)),
    FactKind.DAYS: frozenset(stems(EDGE_WORDS)),
    FactKind.DURATION: frozenset(stems(_SPANS)),
}
"""Stems that say no more than that the figure is a price, a time or a span."""


class Subject(Struct, frozen=True, gc=False):
    """The words (stems) of a figure's own clause, and those of the rest of its sentence.

    `carried` are words of the rest that its clause takes over: in "A costs 5 and B 7", the verb.
    """

    own: frozenset[str]
    rest: frozenset[str]
    around: frozenset[str] = frozenset()
    carried: frozenset[str] = frozenset()


class WeightedTerms(Struct, frozen=True, gc=False):
    """The subject words of a claim's figure with their weights, and the total weight."""

    weights: dict[str, float]
    total: float


def subjects(stretch: TextSpan, figures: Sequence[Figure]) -> list[Subject]:
    """Return the subject of each figure: a word belongs to the nearest figure of a dimension."""
    if not figures:
        return []
    date_positions = _positions(figure for figure in figures if figure.kind in _DATED)
    words = _content(stretch, figures, date_positions)
    term_at = {at: stretch.tokens.terms[at] or stem(stretch.tokens.lower[at]) for at in words}
    own = _nearest(stretch, words, figures)
    lower = stretch.tokens.lower
    verbs = {at for at in words if _is_verb(lower[at])}
    subjects_here = []
    for figure, positions in zip(figures, own, strict=True):
        left_out = set[int]() if figure.kind in _AMOUNTS else date_positions
        carried = _carried(positions, own, verbs)
        restated = _RESTATED.get(figure.kind, frozenset())
        terms = {term_at[at] for at in positions if at not in left_out}
        terms = terms - restated or (set() if stretch.around else terms)
        rest = {term for at, term in term_at.items() if at not in left_out} - restated - terms
        if figure.edge and figure.kind is FactKind.DATE and not terms:
            # In "from 2004 to 2011" both ends have the same subject.
            terms, rest = rest, terms
        over = frozenset(term_at[at] for at in carried) & rest
        subjects_here.append(Subject(frozenset(terms), frozenset(rest), stretch.around, over))
    return subjects_here


def weighted(claim: Subject) -> WeightedTerms:
    """Return the weighted words of a claim's figure; computed once for all passages."""
    weights = {term: _OTHERS * _weight(term) for term in claim.rest | claim.around}
    weights |= {term: _weight(term) for term in claim.own}
    return WeightedTerms(weights, fsum(weights.values()))


def match(claim: WeightedTerms, source: Subject, names: frozenset[str]) -> float:
    """Return how far (0-1) the source's figure has the subject of the claim's figure.

    A sentence takes over the previous one's names: "The bridge at Kvalsund is new. It is long."
    """
    if not claim.total:
        return 0.0
    weights, own, rest = claim.weights, source.own | source.carried, source.rest
    reached = [weights[term] for term in weights.keys() & own]
    for term in weights.keys() & (rest | source.around) - own:
        if term in rest:
            reached.append(weights[term] * _ELSEWHERE)
        else:
            reached.append(weights[term] if term in names else weights[term] * _AROUND)
    # Exact, since a plain sum of floats depends on the order of the set and could decide ties.
    return fsum(reached) / claim.total


def overlap(claim: Subject, source: Subject) -> float:
    """Return the share (0-1) of the claim's own words anywhere near the source's figure."""
    claim_terms = claim.own or claim.rest or claim.around
    near = source.own | source.rest | source.around
    total = fsum(map(_weight, claim_terms))
    return fsum(map(_weight, claim_terms & near)) / total if total else 0.0


def _content(stretch: TextSpan, figures: Sequence[Figure], date_positions: set[int]) -> list[int]:
    """Return the content words outside amounts; dates and days are content to an amount."""
    tokens = stretch.tokens
    terms, kinds, lower = tokens.terms, tokens.kinds, tokens.lower
    positions = _positions(figure for figure in figures if figure.kind not in _DATED)
    return [
        at
        for at in range(stretch.first, stretch.last)
        if (terms[at] or (at in date_positions and kinds[at] == WORD))
        and at not in positions
        and (at in date_positions or kinds[at] != NUMBER)
        and lower[at] not in ABOUT
    ]


def _positions(figures: Iterable[Figure]) -> set[int]:
    positions = set[int]()
    for figure in figures:
        positions.update(range(figure.first, figure.last))
    return positions


def _nearest(stretch: TextSpan, words: list[int], figures: Sequence[Figure]) -> list[set[int]]:
    """Return, for each figure, the words nearer to it than to others of its dimension."""
    own = [{*words} for _ in figures]
    shared = [unit for unit, n in Counter(figure.unit for figure in figures).items() if n > 1]
    places = _places(stretch) if shared else []
    for unit in shared:
        alike = [index for index, figure in enumerate(figures) if figure.unit == unit]
        spans = [(figures[index].first, figures[index].last - 1) for index in alike]
        ends = [(first, places[first], places[end]) for first, end in spans]
        for at in words:
            place = places[at]
            distances = [start - place if at < first else place - end for first, start, end in ends]
            least = min(distances)
            for index, distance in zip(alike, distances, strict=True):
                if distance != least:
                    own[index].remove(at)
    return own


def _carried(mine: set[int], own: Sequence[set[int]], verbs: set[int]) -> set[int]:
    """Return the predicate that a clause without a verb takes over: "A costs 5 and B 7"."""
    if not mine.isdisjoint(verbs):
        return set()
    for other in own:
        verb = min(other & verbs, default=None)
        if verb is not None:
            return {at for at in other if at >= verb}
    return set()


def _places(stretch: TextSpan) -> list[int]:
    """Return a position for each token on a line where delimiters take more room."""
    kinds = stretch.tokens.kinds[stretch.first : stretch.last]
    steps = [
        _APART if word in _DELIMITERS else int(kind != MARK)
        for word, kind in zip(stretch.words, kinds, strict=True)
    ]
    return [0] * stretch.first + list(accumulate(steps, initial=0))


@lru_cache(maxsize=1 << 12)
def _weight(term: str) -> float:
    return _VERB if _is_verb(term) else 1.0


@lru_cache(maxsize=1 << 12)
def _is_verb(word: str) -> bool:
    """Return whether a word or stem can be a finite verb or its base form."""
    return finite_form(word) or finite_form(f"{word}s") or finite_form(f"{word}es")


_BEHIND = (1, 2)
"""Tokens from a negator to the figure that it denies."""
_CONDITIONS = word_set("if unless except otherwise whether")
_HYPOTHETICAL = word_set(
    "would could if cheaper dearer saves save saved difference higher lower fewer extra remaining "
    "respectively left total altogether original originally initially doubled halved twice half"
)
"""The figure of such a claim may follow from the source's figures, or describe another case."""
_NORMATIVE = word_set(
    "must shall should required requires require need needs needed minimum maximum limit allowed "
    "may can mandatory necessary entitled eligible"
)
_PERMISSIVE = word_set("may can could allowed possible")
_OUTSIDE, _BE = word_set("outside over past"), word_set("is are was were be")


def _says_outside(words: Sequence[str]) -> bool:
    """Return whether the words contain "outside", or end with "is over"."""
    return "outside" in words or any(
        word in _OUTSIDE and words[at] in _BE and at + 3 >= len(words)
        for at, word in enumerate(words[1:])
    )


@dataclass
class FigureQuery:
    """A claim prepared to look up its figures, read once for all evidence."""

    claim: TextSpan
    figures: Sequence[Figure] = ()
    normative: bool = False
    denied: bool = False
    hypothetical: bool = False
    permissive: bool = False
    """True if it says that something may or can be, as all within a range may."""
    outside: bool = False
    """True if it says that something is past or outside of a range."""
    names: frozenset[str] = frozenset()
    contrasted: frozenset[int] = frozenset()
    """The tokens of figures that the claim only sets its own against: "300 m, not 500 m"."""

    @classmethod
    def of(cls, claim: TextSpan) -> "FigureQuery":
        every, stated, denied = _read(claim)
        if not every:
            return cls(claim)
        ours = stated or every
        places, words = _positions(ours), claim.words
        outside = {word for at, word in enumerate(words, claim.first) if at not in places}
        capitalised = capitals(claim.tokens, claim.first + 1, claim.last)
        names = (claim.tokens.terms[at] for at in capitalised if at not in places)
        return cls(
            claim,
            ours,
            normative=not _NORMATIVE.isdisjoint(words),
            denied=denied,
            hypothetical=not _HYPOTHETICAL.isdisjoint(outside),
            permissive=not _PERMISSIVE.isdisjoint(words),
            outside=_says_outside(words),
            names=frozenset(filter(None, names)),
            contrasted=frozenset(_positions(every) - places),
        )

    @cached_property
    def subjects(self) -> Sequence[Subject]:
        """The subject of each figure."""
        return subjects(self.claim, self.figures)

    @cached_property
    def weights(self) -> Sequence[WeightedTerms]:
        """The weighted subject words of each figure."""
        return [weighted(subject) for subject in self.subjects]


@dataclass
class Evidence:
    """A passage, read once for all claims: its figures and their subjects.

    `is_data` says that it is a row or an object: that two of its figures are adjacent says nothing.
    """

    passage: TextSpan
    is_data: bool = False

    @cached_property
    def _reading(self) -> tuple[Sequence[Figure], Sequence[Figure], bool]:
        return _read(self.passage)

    @property
    def figures(self) -> Sequence[Figure]:
        """Its figures; of "in 1998, not in 1997" only the first is one."""
        return self._reading[1]

    @property
    def denied(self) -> bool:
        """True if it has figures and negates something."""
        return self._reading[2]

    @property
    def conditional(self) -> bool:
        """True if it has figures and a condition."""
        return bool(self.figures) and is_conditional(self.passage)

    @cached_property
    def words(self) -> str:
        """Its words in lower case, each between spaces."""
        return spaced(self.passage.words)

    def place_of(self, words: str) -> int | None:
        """Return how many tokens precede these consecutive words (each between spaces), or None."""
        before, hit, _ = self.words.partition(words)
        return before.count(" ") if hit else None

    @cached_property
    def subjects(self) -> Sequence[Subject]:
        """The subject of each figure."""
        return subjects(self.passage, self.figures)

    def quote(self, figure: Figure) -> str:
        return self.passage.quote(figure.first, figure.last)


def spaced(words: Sequence[str]) -> str:
    """Return words as one text, each between spaces."""
    return f" {' '.join(words)} "


def _read(stretch: TextSpan) -> tuple[Sequence[Figure], Sequence[Figure], bool]:
    """Return all figures, those that are stated, and whether something else is negated.

    The "not" of "not exceed 5" belongs to the figure.
    """
    every = figures(stretch)
    if not every:
        return (), (), False
    negators = [item.at for item in negations(stretch.tokens, stretch.first, stretch.last)]
    contrasts = _contrasts(stretch, every, negators)
    stated = [
        figure for figure in every if contrasts.isdisjoint(figure.first - step for step in _BEHIND)
    ]
    return every, stated, not (_positions(every) | contrasts).issuperset(negators)


def _contrasts(
    stretch: TextSpan, figures: Sequence[Figure], negators: Sequence[int]
) -> frozenset[int]:
    """Return the negators that contrast figures: "in 1998, not in 1997", "not 5 but 3"."""
    lower, firsts = stretch.tokens.lower, {figure.first for figure in figures}
    latest = max(firsts)
    return frozenset(
        at
        for at in negators
        if at > stretch.first
        and (lower[at - 1] in (",", "and", "but", "(") or "but" in lower[at:latest])
        and any(at + step in firsts for step in _BEHIND)
    )


def is_conditional(stretch: TextSpan) -> bool:
    """Return whether it has a condition: "if", "unless"."""
    return not _CONDITIONS.isdisjoint(stretch.words)
