"""The facts of a claim: each of its figures held against those of the evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log

from analysis.engine.facts.abbreviations import abbreviation_facts
from analysis.engine.facts.arithmetic import Derived, follows
from analysis.engine.facts.figures import Edge, Figure, figures
from analysis.engine.facts.model import Fact, FactKind, Relation, Span, Stretch
from analysis.engine.facts.relation import comparable, relate
from analysis.engine.facts.subject import Subject, match, overlap, subjects
from text.negation import negations
from text.numbers import LABEL
from text.sentences import sentences
from text.tokens import tokenize
from text.units import ABOUT
from text.verbs import finite
from text.words import STOPWORDS, word_set

_LEAST_OVERLAP = 0.6
"""Share of the words around the claim's figure that a rival must have around it."""
_SAME_SUBJECT, _SAME_SUBJECT_SWAPPED, _SAME_SUBJECT_AROUND = 0.75, 0.4, 0.45
"""Subject match from which two figures are about the same thing; the last where a pronoun stands
for the subject, so that it is known from the sentence before alone."""
_RANK = {Relation.EQUAL: 3, Relation.ENTAILED: 2, Relation.ABSENT: 1, Relation.CONFLICTING: 0}
_FAR = 100.0
_BEHIND = (1, 2)
"""Tokens from a negator to the figure that it denies."""
_SHUT = word_set("closed closes close shut shuts")
_CONDITIONS = word_set("if unless except otherwise whether")
_HYPOTHETICAL = word_set(
    "would could if cheaper dearer saves save saved difference higher lower fewer extra remaining "
    "left total altogether original originally initially doubled halved twice half"
)
"""The figure of such a claim may follow from the source's figures, or describe another case."""
_NORMATIVE = word_set(
    "must shall should required requires require need needs needed minimum maximum limit allowed "
    "may can mandatory necessary entitled eligible"
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A figure of passage `evidence` that measures what the claim's figure measures."""

    evidence: int
    figure: Figure
    relation: Relation
    match: float
    overlap: float
    nearness: float
    named: bool
    """Whether all names of the claim stand in the passage or beside it."""

    def order(self) -> tuple[float, int, float]:
        """The best last: most about the same, then for rather than against, then nearest."""
        return self.match, _RANK[self.relation], self.nearness


def facts(claim: Stretch, evidence: Sequence["Evidence"]) -> tuple[Fact, ...]:
    """One fact for each figure of the claim, and one for each abbreviation that is resolved."""
    short = tuple(abbreviation_facts(claim, [one.passage for one in evidence]))
    ours = figures(claim)
    question = _Question(
        claim,
        ours,
        subjects(claim, ours),
        not _NORMATIVE.isdisjoint(claim.words),
        _denied(claim, ours),
        not _HYPOTHETICAL.isdisjoint(_words_outside(claim, ours)),
        _names(claim, ours),
    )
    by_figure = {at: _settle(question, at, evidence) for at in range(len(ours))}
    counted = {settled.derived.count for settled in by_figure.values() if settled.derived}
    found = [
        _counted(settled.fact) if ours[at] in counted else settled.fact
        for at, settled in by_figure.items()
        if not any(_within(settled.fact.claim_span, one.claim_span) for one in short)
    ]
    return (*found, *short)


def facts_of_text(claim: str, evidence: str) -> tuple[Fact, ...]:
    """The facts of a claim in a text, sentence by sentence."""
    return facts(_whole(claim), [Evidence.of(passage) for passage in passages(evidence)])


def passages(text: str) -> list[Stretch]:
    """The sentences of a text, each with the terms of those beside it."""
    tokens = tokenize(text)
    spans = [tokens.between(one.start, one.end) for one in sentences(text)]
    spans = [span for span in spans if span[0] < span[1]]
    terms = [frozenset(filter(None, tokens.terms[first:last])) for first, last in spans]
    return [
        Stretch(text, tokens, *span, frozenset[str]().union(*terms[max(0, at - 1) : at + 2]))
        for at, span in enumerate(spans)
    ]


def _whole(text: str) -> Stretch:
    tokens = tokenize(text)
    return Stretch(text, tokens, 0, len(tokens))


@dataclass(frozen=True, slots=True)
class _Question:
    """A claim as its figures are looked up."""

    claim: Stretch
    figures: Sequence[Figure]
    subjects: Sequence[Subject]
    normative: bool
    denied: bool
    hypothetical: bool
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage as it is read once for all claims: its figures and what each is about."""

    passage: Stretch
    figures: Sequence[Figure]
    subjects: Sequence[Subject]
    denied: bool
    conditional: bool

    @classmethod
    def of(cls, passage: Stretch) -> "Evidence":
        """Read a passage; of "in 1998, not in 1997" only the first is a figure of it."""
        read = figures(passage)
        contrasts = _contrasts(passage, read)
        found = [one for one in read if all(one.first - at not in _BEHIND for at in contrasts)]
        return cls(
            passage,
            found,
            subjects(passage, found),
            _denied(passage, read, contrasts),
            not _CONDITIONS.isdisjoint(passage.words),
        )

    def quote(self, figure: Figure) -> str:
        return self.passage.quote(figure.first, figure.last)


@dataclass(frozen=True, slots=True)
class _Settled:
    fact: Fact
    derived: Derived | None = None


def _settle(question: _Question, at: int, theirs: Sequence[Evidence]) -> _Settled:
    figure = question.figures[at]
    copied = _copied(question, figure, theirs)
    if copied:
        return _Settled(_fact(question.claim, figure, copied, theirs))
    candidates = list(_candidates(question, at, theirs))
    candidates = [one for one in candidates if one.named] or candidates
    if figure.kind is FactKind.DATE:
        candidates = _of_the_event(question.claim, figure, candidates, theirs) or candidates
    agreeing = [one for one in candidates if one.relation in (Relation.EQUAL, Relation.ENTAILED)]
    best = max(agreeing, key=_Candidate.order, default=None)
    rival = _rival(question, at, candidates, theirs)
    if best and (rival is None or best.match >= rival.match):
        return _Settled(_fact(question.claim, figure, best, theirs))
    read = [(one.passage, one.figures) for one in theirs]
    derived = None if best else follows(question.claim, figure, question.figures, read)
    if derived:
        return _Settled(_derived_fact(question.claim, figure, derived, theirs), derived)
    if rival:
        return _Settled(_fact(question.claim, figure, rival, theirs))
    span = question.claim.span(figure.first, figure.last)
    reason = "the source does not say"
    return _Settled(Fact(figure.kind, Relation.ABSENT, span, None, None, 0.0, reason))


def _copied(question: _Question, figure: Figure, theirs: Sequence[Evidence]) -> _Candidate | None:
    """The same figure of a passage that holds the claim word for word: no other is its rival."""
    words = tuple(question.claim.words)
    for index, evidence in enumerate(theirs):
        start = _position(words, tuple(evidence.passage.words))
        if start is None:
            continue
        shift = evidence.passage.first + start - question.claim.first
        for other in evidence.figures:
            same_place = (other.first, other.last) == (figure.first + shift, figure.last + shift)
            if same_place and (other.kind, other.edge) == (figure.kind, figure.edge):
                return _Candidate(index, other, Relation.EQUAL, 1.0, 1.0, 0.0, True)
    return None


def _position(words: tuple[str, ...], others: tuple[str, ...]) -> int | None:
    """Where the words stand among the others in this order, nothing between them."""
    size = len(words)
    places = range(len(others) - size + 1)
    return next((at for at in places if others[at : at + size] == words), None)


def _candidates(question: _Question, at: int, theirs: Sequence[Evidence]) -> Iterator[_Candidate]:
    figure, subject = question.figures[at], question.subjects[at]
    for index, evidence in enumerate(theirs):
        for other, about in zip(evidence.figures, evidence.subjects, strict=True):
            if comparable(figure, other):
                relation = relate(figure, other, normative=question.normative)
                near = _nearness(figure, other)
                share = overlap(subject, about)
                named = question.names <= (about.own | about.rest | about.around)
                yield _Candidate(
                    index,
                    other,
                    relation,
                    match(subject, about, question.names),
                    share,
                    near,
                    named,
                )


def _rival(
    question: _Question,
    at: int,
    candidates: Sequence[_Candidate],
    theirs: Sequence[Evidence],
) -> _Candidate | None:
    """The figure of the source that is most about the claim's, where it says otherwise."""
    figure = question.figures[at]
    about = [one for one in candidates if one.overlap >= _LEAST_OVERLAP]
    best = max(about, key=_Candidate.order, default=None)
    if best is None or best.relation is not Relation.CONFLICTING:
        return None
    evidence = theirs[best.evidence]
    if best.match < _least_match(question, at, evidence) or _names_the_subject(
        question.claim, figure
    ):
        return None
    counted = figure.things | best.figure.things
    if figure.kind is FactKind.NUMBER and counted and not figure.things & best.figure.things:
        return None
    if figure.hyphenated != best.figure.hyphenated or question.hypothetical:
        return None
    if figure.kind is FactKind.DAYS and _is_shut(question.claim) != _is_shut(evidence.passage):
        return None
    if figure.kind is FactKind.DATE and not _same_event(question.claim, figure, evidence.passage):
        return None
    if evidence.denied is not question.denied:
        return None
    return None if evidence.conditional and not _is_conditional(question.claim) else best


def _least_match(question: _Question, at: int, evidence: Evidence) -> float:
    """The subject match from which the passage's figure opposes the claim's."""
    if _is_swapped(question.figures[at], evidence.figures):
        return _SAME_SUBJECT_SWAPPED
    around = question.subjects[at].around
    return _SAME_SUBJECT_AROUND if around and not question.names else _SAME_SUBJECT


def _of_the_event(
    claim: Stretch, figure: Figure, candidates: Sequence[_Candidate], theirs: Sequence[Evidence]
) -> list[_Candidate]:
    """The dates of what the claim dates: a founding says nothing of when something closed."""
    return [one for one in candidates if _same_event(claim, figure, theirs[one.evidence].passage)]


def _same_event(claim: Stretch, figure: Figure, passage: Stretch) -> bool:
    """Whether the passage has the content word before the claim's date: what happened then."""
    before = filter(None, reversed(claim.tokens.terms[claim.first : figure.first]))
    event = next(before, "")
    return event in passage.tokens.terms[passage.first : passage.last]


def _names_the_subject(claim: Stretch, figure: Figure) -> bool:
    """ "Apollo 11 landed", "version 3.1 is slow": with another number it is another thing."""
    at, tokens = figure.first, claim.tokens
    if at == claim.first or any(finite(tokens, before) for before in range(claim.first, at)):
        return False
    capital = tokens.words[at - 1][0].isupper() and tokens.lower[at - 1] not in STOPWORDS | ABOUT
    return figure.unit == LABEL or (capital and not figure.unit)


def _is_swapped(figure: Figure, theirs: Sequence[Figure]) -> bool:
    """Whether the source has the claim's date or time at the other end of the interval."""
    return any(
        other.kind is figure.kind
        and {figure.edge, other.edge} == {Edge.START, Edge.END}
        and relate(figure, other) is Relation.EQUAL
        for other in theirs
    )


def _nearness(one: Figure, other: Figure) -> float:
    """How near two values are, 0 (equal) and below; rates of another time are not near."""
    far = _FAR if (one.rate is None) != (other.rate is None) else 0.0
    return -far - (abs(log(other.low / one.low)) if one.low > 0 and other.low > 0 else 0.0)


def _denied(stretch: Stretch, found: Sequence[Figure], apart: Sequence[int] = ()) -> bool:
    """Whether something is denied; the "not" of "not exceed 5" belongs to the figure."""
    spans = [range(figure.first, figure.last) for figure in found]
    denying = [one.at for one in negations(stretch.tokens, stretch.first, stretch.last)]
    return any(at not in apart and not any(at in span for span in spans) for at in denying)


def _contrasts(stretch: Stretch, found: Sequence[Figure]) -> list[int]:
    """The negators that set one figure against another: "in 1998, not in 1997"."""
    lower, firsts = stretch.tokens.lower, {figure.first for figure in found}
    return [
        one.at
        for one in negations(stretch.tokens, stretch.first, stretch.last)
        if one.at > stretch.first
        and lower[one.at - 1] in (",", "and", "but", "(")
        and any(one.at + step in firsts for step in _BEHIND)
    ]


def _is_shut(stretch: Stretch) -> bool:
    return not _SHUT.isdisjoint(stretch.words)


def _is_conditional(stretch: Stretch) -> bool:
    return not _CONDITIONS.isdisjoint(stretch.words)


def _words_outside(stretch: Stretch, found: Sequence[Figure]) -> set[str]:
    """The words that belong to no figure."""
    taken = {at for figure in found for at in range(figure.first, figure.last)}
    return {word for at, word in enumerate(stretch.words, stretch.first) if at not in taken}


def _names(stretch: Stretch, found: Sequence[Figure]) -> frozenset[str]:
    """The capitalised words after the first that belong to no figure."""
    tokens = stretch.tokens
    taken = {at for figure in found for at in range(figure.first, figure.last)}
    return frozenset(
        tokens.terms[at]
        for at in range(stretch.first + 1, stretch.last)
        if tokens.terms[at] and tokens.words[at][0].isupper() and at not in taken
    )


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _fact(claim: Stretch, figure: Figure, one: _Candidate, theirs: Sequence[Evidence]) -> Fact:
    evidence = theirs[one.evidence]
    span = evidence.passage.span(one.figure.first, one.figure.last)
    return Fact(
        figure.kind, one.relation, claim.span(figure.first, figure.last), one.evidence, span,
        round(one.match, 4), f"the source says “{evidence.quote(one.figure)}”",
    )  # fmt: skip


def _derived_fact(
    claim: Stretch, figure: Figure, derived: Derived, theirs: Sequence[Evidence]
) -> Fact:
    passage = theirs[derived.evidence].passage
    span = passage.span(derived.parts[0].first, derived.parts[-1].last)
    return Fact(
        figure.kind, Relation.ENTAILED, claim.span(figure.first, figure.last), derived.evidence,
        span, 1.0, f"follows from the source: {derived.words}", derived=True,
    )  # fmt: skip


def _counted(fact: Fact) -> Fact:
    """A count that a price was multiplied by is the claim's own choice."""
    return replace(fact, relation=Relation.ENTAILED, reason="counts what the source prices")
