"""Compares each figure of a claim with those of the evidence."""

from collections.abc import Iterator, Sequence
from math import inf, log

from msgspec import Struct
from msgspec.structs import replace

from analysis.engine.facts.arithmetic import Derived, follows, miscounted
from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import Figure, factor_of
from analysis.engine.facts.model import AGREEING, FactKind, FigureEvidence, Relation, TextSpan
from analysis.engine.facts.reading import (
    Evidence,
    FigureQuery,
    Subject,
    is_conditional,
    match,
    overlap,
    spaced,
)
from analysis.engine.facts.relation import comparable, relate
from lib.text.quantity import LABEL
from lib.text.units import ABOUT, CURRENCIES
from lib.text.verbs import finite
from lib.text.words import STOPWORDS, SUBJECT_PRONOUNS, word_set

_MONEY = frozenset(CURRENCIES.values())
_LEAST_OVERLAP = 0.6
"""Share of the words around the claim's figure that a rival must have around it."""
_SAME_SUBJECT, _SAME_SUBJECT_PRONOUN = 0.75, 0.45
"""Subject match from which two figures are about the same thing: in general, and where a pronoun
stands for the subject, which only the previous sentence names."""
_RANK = {Relation.EQUAL: 3, Relation.ENTAILED: 2, Relation.ABSENT: 1, Relation.CONFLICTING: 0}
_FAR = 100.0
_DIGITS = 4
"""Decimals of a stored match."""
_ZONES = word_set("utc gmt cet cest bst est edt cst cdt mst mdt pst pdt ist jst aest")
"""Time zones: 22:00 UTC is 23:00 CET."""
_SHUT = word_set("closed closes close shut shuts")
_SURE_MATCH, _SAID_TOO = 0.9, 0.5
_SURE_KINDS = (
    FactKind.MEASURE, FactKind.DURATION, FactKind.PERCENT, FactKind.FREQUENCY, FactKind.DAYS,
)  # fmt: skip
"""Kinds of which another figure of the same thing is mostly wrong. Of 11,000 answers that authors
wrote in pairs, another time of day stood in as many right as wrong ones."""
DERIVING = word_set("half twice double doubled remaining remainder")
"""With these words a passage implies figures that it does not state."""
_COMPARING = word_set(
    "more less fewer longer shorter higher lower later earlier older younger cheaper dearer bigger "
    "smaller wider heavier lighter faster slower"
)
"""Behind a figure: "63 m higher" is a difference, which a source seldom writes. Of 15 conflicts of
such figures in written claims 9 were wrong."""
_MOST_APART = 400.0
"""The largest ratio of two figures of the same thing: a year says nothing of 200 minutes."""
_CONFLICTING = Relation.CONFLICTING
_DATED = (FactKind.DAYS, FactKind.TIME, FactKind.DATE)
_SPANNED = (FactKind.TIME, FactKind.DATE)
_OPENING = (FactKind.TIME, FactKind.DAYS)
_FARTHER = 0.2
"""The margin by which a conflicting figure must match the topic better than an agreeing one."""
_ANYTHING = Subject(frozenset(), frozenset())


class _Candidate(Struct, frozen=True, gc=False):
    """A figure of passage `evidence` that measures the same as the claim's figure."""

    evidence: int
    figure: Figure
    relation: Relation
    match: float
    about: Subject
    nearness: float
    named: bool
    """True if all names of the claim stand in the passage or beside it."""
    swapped: bool = False
    """True if the passage has the claim's figure too, of something else."""

    def order(self) -> tuple[float, int, float]:
        """Return the sort key, the best last: subject match, then agreement, then nearness."""
        return self.match, _RANK[self.relation], self.nearness


def facts(question: FigureQuery, evidence: Sequence[Evidence]) -> tuple[FigureEvidence, ...]:
    """Return one fact for each figure of the claim."""
    if not question.figures:
        return ()
    # Where each passage that contains the claim verbatim has it, in tokens.
    words = spaced(question.claim.words)
    starts = ((at, item.place_of(words)) for at, item in enumerate(evidence))
    places = {at: start for at, start in starts if start is not None}
    candidates = [list(_candidates(question, at, evidence)) for at in range(len(question.figures))]
    confirming = _confirming(candidates)
    settled = [
        _settle(question, at, evidence, places, some, confirming)
        for at, some in enumerate(candidates)
    ]
    counts = {derived.count for _, derived in settled if derived}
    return tuple(
        _own_count(fact) if figure in counts else fact
        for figure, (fact, _) in zip(question.figures, settled, strict=True)
    )


def _confirming(candidates: Sequence[Sequence[_Candidate]]) -> frozenset[int]:
    """Return the passages that agree with each of a claim's two or more figures."""
    if len(candidates) == 1:
        return frozenset()
    agreeing = [{one.evidence for one in some if one.relation in AGREEING} for some in candidates]
    return frozenset(agreeing[0]).intersection(*agreeing)


def _settle(
    question: FigureQuery,
    at: int,
    theirs: Sequence[Evidence],
    places: dict[int, int],
    candidates: Sequence[_Candidate],
    confirming: frozenset[int],
) -> tuple[FigureEvidence, Derived | None]:
    """Return the fact about a figure, and the computation that yields it."""
    figure = question.figures[at]
    copied = _copied(question, figure, theirs, places)
    if copied:
        return _fact(question.claim, figure, copied, theirs), None
    candidates = [candidate for candidate in candidates if candidate.named] or candidates
    if figure.kind is FactKind.DATE:
        candidates = [
            candidate
            for candidate in candidates
            if _same_event(question.claim, figure, theirs[candidate.evidence].passage)
        ] or candidates
    agreeing = [candidate for candidate in candidates if candidate.relation in AGREEING]
    best = max(agreeing, key=_Candidate.order, default=None)
    rival = None
    if best is None or any(each.match > best.match for each in candidates):
        rival = _rival(question, at, candidates, theirs)
    if rival:
        beside = confirming - {rival.evidence}
        confirmed = [each for each in agreeing if each.evidence in beside]
        if confirmed:
            best, rival = max(confirmed, key=_Candidate.order), None
    if best and (rival is None or best.match >= rival.match):
        return _fact(question.claim, figure, best, theirs), None
    if best is None:
        if derived := follows(question, figure, theirs):
            return _derived_fact(question.claim, figure, derived, theirs), derived
        is_prose = not any(item.is_data for item in theirs)
        if is_prose and (wrong := miscounted(question, figure, theirs)):
            return _miscounted_fact(question.claim, figure, wrong, theirs), None
    if rival:
        is_sure = _is_sure(question, figure, rival, best, theirs[rival.evidence])
        certain = is_sure or _mistakes_unit(question, at, candidates)
        return replace(_fact(question.claim, figure, rival, theirs), certain=certain), None
    span = question.claim.span(figure.first, figure.last)
    reason = "not stated in the source"
    return FigureEvidence(figure.kind, Relation.ABSENT, span, None, None, 0.0, reason), None


def _copied(
    question: FigureQuery, figure: Figure, theirs: Sequence[Evidence], places: dict[int, int]
) -> _Candidate | None:
    """Return the same figure in a passage with the claim verbatim: no other competes with it."""
    for index, start in places.items():
        evidence = theirs[index]
        shift = evidence.passage.first + start - question.claim.first
        for other in evidence.figures:
            same_place = (other.first, other.last) == (figure.first + shift, figure.last + shift)
            if same_place and (other.kind, other.edge) == (figure.kind, figure.edge):
                return _Candidate(index, other, Relation.EQUAL, 1.0, _ANYTHING, 0.0, True)
    return None


def _candidates(question: FigureQuery, at: int, theirs: Sequence[Evidence]) -> Iterator[_Candidate]:
    figure = question.figures[at]
    for index, evidence in enumerate(theirs):
        for place, other in enumerate(evidence.figures):
            if comparable(figure, other):
                weights, about = question.weights[at], evidence.subjects[place]
                relation = _relation(question, figure, other, evidence)
                near, alike = _nearness(figure, other), match(weights, about, question.names)
                is_named = question.names <= (about.own | about.rest | about.around)
                yield _Candidate(index, other, relation, alike, about, near, is_named)


def _relation(question: FigureQuery, figure: Figure, other: Figure, evidence: Evidence) -> Relation:
    if question.normative and _caps_threshold(figure, other, evidence):
        return _CONFLICTING
    relation = relate(figure, other, normative=question.normative)
    within = relation is not _CONFLICTING and (other.is_range or other.bound)
    if within and not figure.bound and not figure.is_range:
        if question.outside:
            return _CONFLICTING if relation is Relation.ENTAILED else relation
        if question.permissive and figure.kind is not FactKind.DATE:
            return relation if relation in AGREEING else Relation.ENTAILED
    if question.outside and relation is _CONFLICTING:
        return Relation.ABSENT
    return relation


def _caps_threshold(figure: Figure, other: Figure, evidence: Evidence) -> bool:
    """Return whether "up to 10 feet" is said of what begins at 10 feet: an inverted obligation."""
    if figure.bound is not Bound.MOST or figure.kind is not FactKind.MEASURE:
        return False
    if other.bound or other.is_range:
        return False
    before = evidence.passage.tokens.lower[max(0, other.first - 1)]
    return before in ("at", "from") and other.first > evidence.passage.first


def _rival(
    question: FigureQuery, at: int, candidates: Sequence[_Candidate], theirs: Sequence[Evidence]
) -> _Candidate | None:
    """Return the source's figure with the best subject match if it conflicts with the claim's."""
    figure = question.figures[at]
    about = [each for each in candidates if _is_about(question, at, each)]
    best = max(about, key=_Candidate.order, default=None)
    if best is None or best.relation is not _CONFLICTING:
        return None
    evidence = theirs[best.evidence]
    openings = {question.claim.words[0], evidence.passage.words[0]}
    points_back = not openings.isdisjoint(SUBJECT_PRONOUNS) and not question.names
    least = _SAME_SUBJECT_PRONOUN if points_back else _SAME_SUBJECT
    if _is_turned(figure, best.figure) or _is_mistaken(figure, best.figure):
        least = _LEAST_OVERLAP
    if best.match < least or _names_the_subject(question.claim, figure):
        return None
    same = [
        each for each in candidates if each.evidence == best.evidence and each.relation in AGREEING
    ]
    words = evidence.passage.tokens.lower
    # Of "capacity: 90, sold: 60" each figure is of the label before it.
    if any(words[each.figure.first - 1] == ":" for each in same if each.figure.first):
        return None
    if same and figure.kind in _DATED:
        return None
    others = (other for other in question.figures if other is not figure)
    if not same and any(_is_same(other, best.figure) for other in others):
        return None
    agreeing = max((each.match for each in same), default=inf)
    if _may_both_hold(question, figure, best.figure, evidence):
        return None
    if agreeing <= best.match - _FARTHER:
        return replace(best, swapped=True)
    return None if evidence.conditional and not is_conditional(question.claim) else best


def _may_both_hold(
    question: FigureQuery, figure: Figure, other: Figure, evidence: Evidence
) -> bool:
    """Return whether claim and passage may give figures of different things, times or cases."""
    claim, passage = question.claim, evidence.passage
    if question.hypothetical or question.denied is not evidence.denied:
        return True
    if figure.hyphenated != other.hyphenated:
        return True
    if not _COMPARING.isdisjoint(claim.tokens.lower[figure.last : figure.last + 1]):
        return True
    if figure.kind is FactKind.NUMBER and (figure.things or other.things):
        return figure.things.isdisjoint(other.things)
    if figure.kind is FactKind.DATE:
        return not _same_event(claim, figure, passage)
    zones, others_zones = (_ZONES.intersection(side.words) for side in (claim, passage))
    if figure.kind is FactKind.TIME and zones != others_zones:
        return True
    is_open, is_other_open = (_SHUT.isdisjoint(side.words) for side in (claim, passage))
    return figure.kind in _OPENING and not figure.edge and is_open is not is_other_open


def _is_sure(
    question: FigureQuery,
    figure: Figure,
    rival: _Candidate,
    best: _Candidate | None,
    evidence: Evidence,
) -> bool:
    """Return whether the rival decides by itself; `best` is the best agreeing figure."""
    if evidence.is_data or not DERIVING.isdisjoint(evidence.passage.words):
        return False
    if _is_turned(figure, rival.figure):
        return True
    # If another passage has the claim's figure, words alone cannot tell which one is meant.
    elsewhere = best is not None and best.match >= _SAID_TOO and best.evidence != rival.evidence
    is_near = abs(_nearness(figure, rival.figure)) <= log(_MOST_APART)
    is_clear = len(question.figures) == 1 if rival.swapped else rival.match >= _SURE_MATCH
    return figure.kind in _SURE_KINDS and is_clear and is_near and not elsewhere


def _is_about(question: FigureQuery, at: int, candidate: _Candidate) -> bool:
    """Return whether enough of the words around the claim's figure are around the passage's."""
    return overlap(question.subjects[at], candidate.about) >= _LEAST_OVERLAP


def _mistakes_unit(question: FigureQuery, at: int, candidates: Sequence[_Candidate]) -> bool:
    """Return whether the source has the claim's numeral with another unit: 3 inches for 3 feet."""
    figure = question.figures[at]
    return any(
        _is_mistaken(figure, candidate.figure) and _is_about(question, at, candidate)
        for candidate in candidates
    )


def _is_mistaken(figure: Figure, other: Figure) -> bool:
    """Return whether two figures have the same numeral and different units or currencies."""
    if {figure.unit, other.unit} <= _MONEY:
        return figure.unit != other.unit and figure.low == other.low
    ours = _numeral(figure)
    apart = figure.spelled.rstrip("s") != other.spelled.rstrip("s")
    return apart and ours is not None and _numeral(other) == ours


def _same_event(claim: TextSpan, figure: Figure, passage: TextSpan) -> bool:
    """Return whether the passage has the content word before the claim's date: the event.

    "Before 1995, …" has none, and what held until then may have ended in 1995.
    """
    before = filter(None, reversed(claim.tokens.terms[claim.first : figure.first]))
    event = next(before, "")
    if not event and figure.bound:
        return False
    return event in passage.tokens.terms[passage.first : passage.last]


def _names_the_subject(claim: TextSpan, figure: Figure) -> bool:
    """Return whether a figure is part of a name: "Apollo 11 landed", "version 3.1 is slow"."""
    at, tokens = figure.first, claim.tokens
    if at == claim.first or any(finite(tokens, before) for before in range(claim.first, at)):
        return False
    capital = tokens.words[at - 1][0].isupper() and tokens.lower[at - 1] not in STOPWORDS | ABOUT
    return figure.unit == LABEL or (capital and not figure.unit)


def _is_same(figure: Figure, other: Figure) -> bool:
    """Return whether a figure of the claim and one of the source have the same value."""
    return comparable(figure, other) and relate(figure, other) is Relation.EQUAL


def _is_turned(figure: Figure, other: Figure) -> bool:
    """Return whether two figures have equal values and opposite bounds ("at least", "at most")."""
    turned = (figure.bound.is_lower and other.bound.is_upper) or (
        figure.bound.is_upper and other.bound.is_lower
    )
    return turned and figure.low == other.low and not figure.turned and not other.turned


def _numeral(figure: Figure) -> float | None:
    """Return the number as written, without its unit's factor."""
    factor = factor_of(figure)
    return round(figure.low / factor, 6) if factor else None


def _nearness(figure: Figure, other: Figure) -> float:
    """Return how near two values are, 0 (equal) and below; rates per different time are far."""
    far = _FAR if (figure.rate is None) != (other.rate is None) else 0.0
    return -far - (abs(log(other.low / figure.low)) if figure.low > 0 and other.low > 0 else 0.0)


def _fact(
    claim: TextSpan, figure: Figure, candidate: _Candidate, theirs: Sequence[Evidence]
) -> FigureEvidence:
    evidence, other = theirs[candidate.evidence], candidate.figure
    span = evidence.passage.span(other.first, other.last)
    is_bounded = bool(figure.bound or other.bound or other.is_range) and not figure.about
    is_apart = is_bounded and {figure.low, figure.high}.isdisjoint((other.low, other.high))
    is_wider = bool(figure.bound or figure.is_range) and not (other.bound or other.is_range)
    return FigureEvidence(
        figure.kind, candidate.relation, claim.span(figure.first, figure.last),
        candidate.evidence, span, round(candidate.match, _DIGITS),
        f"the source says “{evidence.quote(other)}”",
        lead=figure.lead,
        is_within=candidate.relation is Relation.ENTAILED
        and (is_apart or is_wider or figure.kind is FactKind.DAYS),
    )  # fmt: skip


def _derived_fact(
    claim: TextSpan, figure: Figure, derived: Derived, theirs: Sequence[Evidence]
) -> FigureEvidence:
    passage = theirs[derived.evidence].passage
    span = passage.span(derived.parts[0].first, derived.parts[-1].last)
    return FigureEvidence(
        figure.kind, Relation.ENTAILED, claim.span(figure.first, figure.last), derived.evidence,
        span, 1.0, f"follows from the source: {derived.words}", derived=True,
        span=derived.words if _is_only_span(claim, derived, theirs[derived.evidence]) else "",
    )  # fmt: skip


def _miscounted_fact(
    claim: TextSpan, figure: Figure, wrong: Derived, theirs: Sequence[Evidence]
) -> FigureEvidence:
    passage, parts = theirs[wrong.evidence].passage, wrong.parts
    return FigureEvidence(
        figure.kind, Relation.CONFLICTING, claim.span(figure.first, figure.last), wrong.evidence,
        passage.span(parts[0].first, parts[-1].last), 1.0,
        f"it differs from what the source gives: {wrong.words}", derived=True, certain=True,
    )  # fmt: skip


def _is_only_span(claim: TextSpan, derived: Derived, evidence: Evidence) -> bool:
    """Return whether a time span is between an unconditional passage's only dates or times."""
    if derived.parts[0].kind not in _SPANNED or "than" in claim.words or evidence.conditional:
        return False
    spanned = sum(figure.kind in _SPANNED for figure in evidence.figures)
    return spanned == len({part.first for part in derived.parts})


def _own_count(fact: FigureEvidence) -> FigureEvidence:
    """Return a price's multiplier as the claim's own figure, whatever the source counts."""
    reason = "a count of what the source gives the price of"
    return FigureEvidence(fact.kind, Relation.ENTAILED, fact.claim_span, None, None, 0.0, reason)
