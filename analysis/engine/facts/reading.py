"""Claims and passages, read once: their figures, the figures' subjects, negations."""

from collections.abc import Sequence

from msgspec import Struct

from analysis.engine.facts.figures import Figure, figures
from analysis.engine.facts.model import TextSpan
from analysis.engine.facts.subject import (
    Subject,
    WeightedTerms,
    subjects,
    weighted,
)
from lib.text.names import capitals
from lib.text.negation import negations
from lib.text.sentences import sentences
from lib.text.tokens import tokenize
from lib.text.words import word_set

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


def passages(text: str) -> list[TextSpan]:
    """Return the sentences of a text, each with the terms of adjacent ones."""
    tokens = tokenize(text)
    spans = [tokens.between(sentence.start, sentence.end) for sentence in sentences(text)]
    spans = [span for span in spans if span[0] < span[1]]
    terms = [frozenset(filter(None, tokens.terms[first:last])) for first, last in spans]
    return [
        TextSpan(text, tokens, *span, frozenset[str]().union(*terms[max(0, at - 1) : at + 2]))
        for at, span in enumerate(spans)
    ]


def whole(text: str) -> TextSpan:
    """Return a text as one span."""
    tokens = tokenize(text)
    return TextSpan(text, tokens, 0, len(tokens))


class FigureQuery(Struct, gc=False):
    """A claim prepared to look up its figures, read once for all evidence."""

    claim: TextSpan
    figures: Sequence[Figure]
    normative: bool
    denied: bool
    hypothetical: bool
    permissive: bool
    """True if it says that something may or can be, as all within a range may."""
    outside: bool
    """True if it says that something is past or outside of a range."""
    names: frozenset[str]
    contrasted: frozenset[int] = frozenset()
    """The tokens of figures that the claim only sets its own against: "300 m, not 500 m"."""
    known_subjects: Sequence[Subject] | None = None
    known_weights: Sequence[WeightedTerms] | None = None

    @classmethod
    def of(cls, claim: TextSpan) -> "FigureQuery":
        figures_here = figures(claim)
        if not figures_here:
            return cls(claim, (), False, False, False, False, False, frozenset())
        denying = negators(claim)
        contrasts = _contrasts(claim, figures_here, denying)
        ours = _without(figures_here, contrasts) or figures_here
        others = [figure for figure in figures_here if figure not in ours] if contrasts else []
        words = claim.words
        return cls(
            claim,
            ours,
            not _NORMATIVE.isdisjoint(words),
            _denied(figures_here, denying, contrasts),
            not _HYPOTHETICAL.isdisjoint(words)
            and not _HYPOTHETICAL.isdisjoint(_words_outside(claim, ours)),
            not _PERMISSIVE.isdisjoint(words),
            _says_outside(words),
            _names(claim, ours),
            frozenset(at for figure in others for at in range(figure.first, figure.last)),
        )

    @property
    def subjects(self) -> Sequence[Subject]:
        """The subject of each figure, computed on demand."""
        if self.known_subjects is None:
            self.known_subjects = subjects(self.claim, self.figures)
        return self.known_subjects

    @property
    def weights(self) -> Sequence[WeightedTerms]:
        """The weighted subject words of each figure, computed on demand."""
        if self.known_weights is None:
            self.known_weights = [weighted(subject) for subject in self.subjects]
        return self.known_weights


class Evidence(Struct, gc=False):
    """A passage as it is read for all claims, when first asked for: its figures, their subjects.

    `is_data` says that it is a row or an object, whose figures stand beside each other whatever
    they are of.
    """

    passage: TextSpan
    is_data: bool = False
    known_figures: Sequence[Figure] | None = None
    known_denied: bool = False
    known_subjects: Sequence[Subject] | None = None
    known_words: str = ""

    @property
    def figures(self) -> Sequence[Figure]:
        """Its figures; of "in 1998, not in 1997" only the first is one."""
        if self.known_figures is None:
            self.known_figures, self.known_denied = _stated(self.passage)
        return self.known_figures

    @property
    def denied(self) -> bool:
        """True if it has figures and negates something."""
        return bool(self.figures) and self.known_denied

    @property
    def conditional(self) -> bool:
        """True if it has figures and a condition."""
        return bool(self.figures) and is_conditional(self.passage)

    @property
    def words(self) -> str:
        """Its words in lower case, each between spaces."""
        self.known_words = self.known_words or spaced(self.passage.words)
        return self.known_words

    def place_of(self, words: str) -> int | None:
        """Return how many tokens precede these consecutive words (each between spaces), or None."""
        before, hit, _ = self.words.partition(words)
        return before.count(" ") if hit else None

    @property
    def subjects(self) -> Sequence[Subject]:
        """The subject of each figure, computed on demand."""
        if self.known_subjects is None:
            self.known_subjects = subjects(self.passage, self.figures)
        return self.known_subjects

    def quote(self, figure: Figure) -> str:
        return self.passage.quote(figure.first, figure.last)


def spaced(words: Sequence[str]) -> str:
    """Return words as one text, each between spaces."""
    return f" {' '.join(words)} "


def _stated(passage: TextSpan) -> tuple[Sequence[Figure], bool]:
    """Return the figures of a passage, and whether it negates something else."""
    known_figures = figures(passage)
    if not known_figures:
        return (), False
    denying = negators(passage)
    contrasts = _contrasts(passage, known_figures, denying)
    return _without(known_figures, contrasts), _denied(known_figures, denying, contrasts)


def negators(stretch: TextSpan) -> Sequence[int]:
    """Return the tokens that negate something."""
    return [negation.at for negation in negations(stretch.tokens, stretch.first, stretch.last)]


def _denied(
    figures: Sequence[Figure], negators: Sequence[int], offsets: Sequence[int] = ()
) -> bool:
    """Return whether something is negated; the "not" of "not exceed 5" belongs to the figure."""
    places = {at for figure in figures for at in range(figure.first, figure.last)}
    return not places.union(offsets).issuperset(negators)


def _contrasts(
    stretch: TextSpan, figures: Sequence[Figure], negators: Sequence[int]
) -> Sequence[int]:
    """Return negators that contrast figures: "in 1998, not in 1997", "not 5 but 3"."""
    if not negators:
        return ()
    lower, firsts = stretch.tokens.lower, {figure.first for figure in figures}
    latest = max(
        (at for at in range(stretch.first, max(firsts, default=0)) if lower[at] == "but"),
        default=-1,
    )
    return [
        at
        for at in negators
        if at > stretch.first
        and (lower[at - 1] in (",", "and", "but", "(") or at <= latest)
        and any(at + step in firsts for step in _BEHIND)
    ]


def _without(figures: Sequence[Figure], offsets: Sequence[int]) -> list[Figure]:
    """Return the figures that do not follow a negator."""
    if not offsets:
        return list(figures)
    contrasts = frozenset(offsets)
    return [
        figure
        for figure in figures
        if contrasts.isdisjoint(figure.first - step for step in _BEHIND)
    ]


def is_conditional(stretch: TextSpan) -> bool:
    """Return whether it has a condition: "if", "unless"."""
    return not _CONDITIONS.isdisjoint(stretch.words)


def _words_outside(stretch: TextSpan, figures: Sequence[Figure]) -> set[str]:
    """Return the words that belong to no figure."""
    positions = {at for figure in figures for at in range(figure.first, figure.last)}
    return {word for at, word in enumerate(stretch.words, stretch.first) if at not in positions}


def _names(stretch: TextSpan, figures: Sequence[Figure]) -> frozenset[str]:
    """Return the capitalised words after the first that belong to no figure."""
    tokens = stretch.tokens
    positions = {at for figure in figures for at in range(figure.first, figure.last)}
    return frozenset(
        tokens.terms[at]
        for at in capitals(tokens, stretch.first + 1, stretch.last)
        if tokens.terms[at] and at not in positions
    )
