"""The facts of a claim: each of its figures compared with those of the evidence."""

import datetime
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import isclose, log, log10

from msgspec import Struct
from msgspec.structs import replace

from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import DAY, Figure
from analysis.engine.facts.model import AGREEING, FactKind, FigureEvidence, Relation, Stretch
from analysis.engine.facts.reading import (
    Evidence,
    FigureQuery,
    is_conditional,
    spaced,
)
from analysis.engine.facts.relation import comparable, relate
from analysis.engine.facts.subject import Subject, match, overlap
from lib.text.clock import CLOCK_OPEN, HALF_DAY
from lib.text.dates import Date
from lib.text.quantity import LABEL
from lib.text.units import ABOUT
from lib.text.verbs import finite
from lib.text.words import STOPWORDS, SUBJECT_PRONOUNS, word_set

_TOTAL = word_set("total together altogether combined sum overall all both add adds plus")
_FELL = word_set(
    "dropped fell decreased declined shrank lost cut reduced down drop fall decrease decline lower "
    "less fewer reduction sank slipped"
)
_ROSE = word_set(
    "rose increased grew gained climbed up increase rise growth higher more jumped gain "
    "added raised"
)
_APART = word_set("difference between gap longer shorter older younger wider later earlier saved")
_YEARS, _DAYS = word_set("year decade"), word_set("day week fortnight month")
_HOURS = word_set("hour hr minute min")
_NOT_COMPUTED = (FactKind.DATE, FactKind.DAYS, FactKind.TIME)
_NUMBER, _COUNTED = FactKind.NUMBER, (FactKind.NUMBER, FactKind.DURATION)
_SECONDS_A_DAY, _SECONDS_A_YEAR = 86400.0, 31557600.0
_NO_LEAP_YEAR = 2001
_MOST_SUMMED, _MOST_COUNTED, _MOST_PARTS = 5, 100, 8
_ABOUT = 0.1

Passages = Sequence[tuple[Stretch, Sequence[Figure]]]


class Derived(Struct, frozen=True, gc=False):
    """A value computed from figures of passage `evidence`, and the computation in words."""

    value: float
    evidence: int
    parts: tuple[Figure, ...]
    words: str
    falls: bool | None = None
    """For a change: whether the source's figures fall."""
    count: Figure | None = None
    """The figure of the claim that a price is multiplied by."""


def follows(
    claim: Stretch, figure: Figure, ours: Sequence[Figure], evidence: Passages
) -> Derived | None:
    """The computation that yields the claim's figure; None where there is none."""
    if figure.kind in _NOT_COMPUTED or figure.is_range:
        return None
    if figure.bound not in (Bound.NONE, Bound.LEAST, Bound.MOST):
        return None
    words = frozenset(claim.words)
    # A comparison of two things ("more than") has no direction in time.
    fell, rose = not words.isdisjoint(_FELL), not words.isdisjoint(_ROSE)
    direction = fell if fell != rose and "than" not in words else None
    for derived in _computed(figure, words, list(_counts(figure, ours)), evidence):
        turned = None not in (derived.falls, direction) and derived.falls is not direction
        if not turned and _comes_near(figure, derived.value):
            return derived
    return None


def _computed(
    figure: Figure,
    words: frozenset[str],
    counts: Sequence[tuple[Figure, float]],
    evidence: Passages,
) -> Iterator[Derived]:
    changes = not words.isdisjoint(_FELL | _ROSE | _APART)
    totals = not words.isdisjoint(_TOTAL)
    lasts = figure.kind is FactKind.DURATION and figure.rate is None
    if not (changes or totals or counts or lasts):
        return
    for index, (passage, figures) in enumerate(evidence):
        plain = _plain(figure, figures)
        if changes:
            yield from _differences(index, passage, plain)
        if figure.kind is FactKind.PERCENT and changes:
            yield from _shares(index, passage, list(_ends(figures)))
        if totals:
            yield from _sums(index, passage, plain)
        for quantity, count in counts:
            for price in plain:
                text = f"{count:g} × {_quote(passage, price)}"
                yield Derived(count * price.low, index, (price,), text, count=quantity)
        if lasts:
            yield from _spans(figure, index, passage, figures)


def _plain(figure: Figure, figures: Sequence[Figure]) -> list[Figure]:
    """The figures that can be added to one another to give one like the claim's."""
    return [
        end
        for end in _ends(figures)
        if end.unit == figure.unit and not end.bound and end.kind is figure.kind
    ]


def _ends(figures: Sequence[Figure]) -> Iterator[Figure]:
    """The figures, each range as its two ends: "from $9 to $12"."""
    for figure in figures:
        yield replace(figure, high=figure.low)
        if figure.is_range:
            yield replace(figure, low=figure.high)


def _differences(index: int, passage: Stretch, plain: Sequence[Figure]) -> Iterator[Derived]:
    for earlier, later in combinations(plain[:_MOST_PARTS], 2):
        text = f"the difference of {_pair(passage, earlier, later)}"
        value, falls = abs(earlier.low - later.low), later.low < earlier.low
        yield Derived(value, index, (earlier, later), text, falls)


def _shares(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    amounts = [
        figure
        for figure in figures
        if figure.kind not in (FactKind.PERCENT, *_NOT_COMPUTED) and figure.low > 0
    ]
    for earlier, later in combinations(amounts[:_MOST_PARTS], 2):
        if earlier.unit == later.unit:
            text = f"the change of {_pair(passage, earlier, later)}"
            share = 100 * abs(later.low - earlier.low) / earlier.low
            yield Derived(share, index, (earlier, later), text, later.low < earlier.low)


def _sums(index: int, passage: Stretch, plain: Sequence[Figure]) -> Iterator[Derived]:
    for length in range(2, min(_MOST_SUMMED, len(plain)) + 1):
        for start in range(len(plain) - length + 1):
            parts = tuple(plain[start : start + length])
            text = " + ".join(_quote(passage, part) for part in parts)
            yield Derived(sum(part.low for part in parts), index, parts, text)


def _spans(
    figure: Figure, index: int, passage: Stretch, figures: Sequence[Figure]
) -> Iterator[Derived]:
    """From one date or time of day to the next."""
    if figure.spelled in _HOURS:
        times = list(_ends([each for each in figures if each.kind is FactKind.TIME]))
        for earlier, later in pairwise(times):
            half_open = CLOCK_OPEN in (earlier.unit, later.unit)
            minutes = (later.low - earlier.low) % (HALF_DAY if half_open else DAY)
            if minutes:
                text = _span(passage, earlier, later)
                yield Derived(60 * minutes, index, (earlier, later), text)
        return
    dated = [
        (each, date) for each in figures if each.date for date in (each.date, each.until) if date
    ]
    for (earlier, first), (later, last) in pairwise(dated):
        text = _span(passage, earlier, later)
        if figure.spelled in _DAYS and first.day and last.day:
            days = _days_apart(first, last)
            # Without and with the last day.
            for count in (days, days + 1) if days else ():
                yield Derived(count * _SECONDS_A_DAY, index, (earlier, later), text)
        elif figure.spelled in _YEARS and first.year and last.year:
            years = abs(last.year - first.year) * _SECONDS_A_YEAR
            yield Derived(years, index, (earlier, later), text)


def _days_apart(first: Date, last: Date) -> int:
    """The days from one date to another; 0 where they do not follow from them."""
    if not (first.day and first.month and last.day and last.month):
        return 0
    year = first.year or last.year or _NO_LEAP_YEAR
    try:
        begin = datetime.date(first.year or year, first.month, first.day)
        return max(0, (datetime.date(last.year or year, last.month, last.day) - begin).days)
    except ValueError:
        return 0


def _counts(figure: Figure, ours: Sequence[Figure]) -> Iterator[tuple[Figure, float]]:
    """The small whole numbers of the claim beside the figure: "two mugs cost EUR 15"."""
    for our in ours:
        count = our.low if our.kind is _NUMBER else our.low / (our.step or 1)
        counts = our.kind in _COUNTED and our is not figure
        if counts and 1 < count <= _MOST_COUNTED and count == int(count):
            yield our, count


def _comes_near(figure: Figure, value: float) -> bool:
    if figure.about:
        return abs(figure.low - value) <= _ABOUT * abs(value)
    slack = 0.0 if figure.kind in _COUNTED else figure.step / 2
    return isclose(figure.low, value, rel_tol=1e-6, abs_tol=slack)


def _pair(passage: Stretch, earlier: Figure, later: Figure) -> str:
    first, second = _quote(passage, earlier), _quote(passage, later)
    return first if earlier.first == later.first else f"{first} and {second}"


def _span(passage: Stretch, earlier: Figure, later: Figure) -> str:
    first, last = _quote(passage, earlier), _quote(passage, later)
    if earlier.first == later.first:
        return f"the time from {first}"
    return f"the time from {first} to {last}"


def _quote(passage: Stretch, figure: Figure) -> str:
    return passage.quote(figure.first, figure.last)


_LEAST_OVERLAP = 0.6
"""Share of the words around the claim's figure that a rival must have around it."""
_SAME_SUBJECT, _SAME_SUBJECT_PRONOUN = 0.75, 0.45
"""Subject match from which two figures are about the same thing: in general, and where a pronoun
stands for the subject, so that it is known from the sentence before alone."""
_RANK = {Relation.EQUAL: 3, Relation.ENTAILED: 2, Relation.ABSENT: 1, Relation.CONFLICTING: 0}
_FAR = 100.0
_LEEWAY = 0.001
"""More than rounding changes of a match."""
_DIGITS = 4
"""Of a match, as it is stored."""
_SHUT = word_set("closed closes close shut shuts")
_SURE_MATCH, _SAID_TOO = 0.9, 0.5
_SURE_KINDS = (
    FactKind.MEASURE, FactKind.DURATION, FactKind.PERCENT, FactKind.TIME,
    FactKind.DAYS,
)  # fmt: skip
"""Of 3,000 claims written for training in which words name another figure of such a kind and of the
same thing, 27 of 29 are wrong; bare numbers, money and dates differ in right ones too often."""
DERIVING = word_set("half twice double doubled remaining remainder")
"""Beside these words a passage implies figures that it does not write."""
_COMPARING = word_set(
    "more less fewer longer shorter higher lower later earlier older younger cheaper dearer bigger "
    "smaller wider heavier lighter faster slower"
)
"""Behind a figure: "63 m higher" is a difference, which a source seldom writes. Of 15 conflicts of
such figures in written claims 9 were wrong."""
_LARGE, _SCALED = 10000.0, 1000.0
_MOST_APART = 400.0
"""Times that a figure may be another of the same thing: a year says nothing of 200 minutes."""
_CONFLICTING = Relation.CONFLICTING
_DATED = (FactKind.DAYS, FactKind.TIME, FactKind.DATE)
_OPENING = (FactKind.TIME, FactKind.DAYS)
_SPANNED = (FactKind.TIME, FactKind.DATE)
_FARTHER = 0.2
"""How much more one figure of a passage must be about the claim than the one it has too."""


_ANYTHING = Subject(frozenset(), frozenset())


class _Candidate(Struct, frozen=True, gc=False):
    """A figure of passage `evidence` that measures what the claim's figure measures."""

    evidence: int
    figure: Figure
    relation: Relation
    match: float
    about: Subject
    nearness: float
    named: bool
    """Whether all names of the claim stand in the passage or beside it."""
    swapped: bool = False
    """Whether the passage has the claim's figure too, of something else."""

    def order(self) -> tuple[float, int, float]:
        """The best last: most about the same, then for rather than against, then nearest."""
        return self.match, _RANK[self.relation], self.nearness


def facts(question: FigureQuery, evidence: Sequence[Evidence]) -> tuple[FigureEvidence, ...]:
    """One fact for each figure of the claim."""
    ours = question.figures
    places = _places_of_copies(question, evidence) if ours else {}
    by_figure = {at: _settle(question, at, evidence, places) for at in range(len(ours))}
    derived_counts = {settled.derived.count for settled in by_figure.values() if settled.derived}
    return tuple(
        _as_own_count(settled.fact) if ours[at] in derived_counts else settled.fact
        for at, settled in by_figure.items()
    )


class _Settled(Struct, frozen=True, gc=False):
    fact: FigureEvidence
    derived: Derived | None = None


def _settle(
    question: FigureQuery, at: int, theirs: Sequence[Evidence], places: dict[int, int]
) -> _Settled:
    figure = question.figures[at]
    copied = _copied(question, figure, theirs, places)
    if copied:
        return _Settled(_fact(question.claim, figure, copied, theirs))
    candidates = list(_candidates(question, at, theirs))
    candidates = [candidate for candidate in candidates if candidate.named] or candidates
    if figure.kind is FactKind.DATE:
        candidates = _of_the_event(question.claim, figure, candidates, theirs) or candidates
    agreeing = [candidate for candidate in candidates if candidate.relation in AGREEING]
    best = max(agreeing, key=_Candidate.order, default=None)
    above = [each for each in candidates if best is None or each.match > best.match]
    rival = _rival(question, at, candidates, theirs) if above else None
    if best and (rival is None or best.match >= rival.match):
        return _Settled(_fact(question.claim, figure, best, theirs))
    source_figures = [(item.passage, item.figures) for item in theirs]
    derived = None if best else follows(question.claim, figure, question.figures, source_figures)
    if derived:
        return _Settled(_derived_fact(question.claim, figure, derived, theirs), derived)
    if rival:
        alone = rival.swapped and len(question.figures) == 1
        sure = alone or (rival.match >= _SURE_MATCH and not rival.swapped)
        # Where another passage has the claim's figure, words alone do not tell which is meant.
        elsewhere = best is not None and best.match >= _SAID_TOO and best.evidence != rival.evidence
        sure = sure and figure.kind in _SURE_KINDS and not elsewhere
        sure = (sure and _is_near(figure, rival)) or _is_turned(figure, rival.figure)
        sure = sure or _is_misplaced(figure, rival)
        sure = sure and DERIVING.isdisjoint(theirs[rival.evidence].passage.words)
        fact = _fact(question.claim, figure, rival, theirs)
        return _Settled(replace(fact, certain=sure))
    span = question.claim.span(figure.first, figure.last)
    reason = "not stated in the source"
    return _Settled(FigureEvidence(figure.kind, Relation.ABSENT, span, None, None, 0.0, reason))


def _places_of_copies(question: FigureQuery, evidence: Sequence[Evidence]) -> dict[int, int]:
    """Where each passage that holds the claim word for word begins to (its tokens count)."""
    words = spaced(question.claim.words)
    starts = ((at, item.place_of(words)) for at, item in enumerate(evidence))
    return {at: start for at, start in starts if start is not None}


def _copied(
    question: FigureQuery, figure: Figure, theirs: Sequence[Evidence], places: dict[int, int]
) -> _Candidate | None:
    """The same figure of a passage that holds the claim word for word: no other is its rival."""
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
                near = _nearness(figure, other)
                is_named = not question.names or question.names <= (
                    about.own | about.rest | about.around
                )
                yield _Candidate(
                    index,
                    other,
                    relation,
                    match(weights, about, question.names),
                    about,
                    near,
                    is_named,
                )


def _relation(question: FigureQuery, figure: Figure, other: Figure, passage: Evidence) -> Relation:
    if question.normative and _caps_threshold(figure, other, passage):
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
    """Whether "up to 10 feet" is said of what begins at 10 feet: a duty that is turned round."""
    if figure.bound is not Bound.MOST or figure.kind is not FactKind.MEASURE:
        return False
    if other.bound or other.is_range:
        return False
    before = evidence.passage.tokens.lower[max(0, other.first - 1)]
    return before in ("at", "from") and other.first > evidence.passage.first


def _rival(
    question: FigureQuery,
    at: int,
    candidates: Sequence[_Candidate],
    theirs: Sequence[Evidence],
) -> _Candidate | None:
    """The figure of the source that is most about the claim's, where it says otherwise."""
    figure = question.figures[at]
    about = [each for each in candidates if _is_about(question, at, each)]
    best = max(about, key=_Candidate.order, default=None)
    if best is None or best.relation is not _CONFLICTING:
        return None
    evidence = theirs[best.evidence]
    least = _least_match(question, evidence)
    loose = _is_turned(figure, best.figure)
    if best.match < (_LEAST_OVERLAP if loose else least):
        return None
    if _names_the_subject(question.claim, figure):
        return None
    agreeing = [
        candidate.match
        for candidate in candidates
        if candidate.evidence == best.evidence and candidate.relation in AGREEING
    ]
    if agreeing and figure.kind in _DATED:
        return None
    others = (other for other in question.figures if other is not figure)
    if not agreeing and any(_is_same(other, best.figure) for other in others):
        return None
    things = figure.things | best.figure.things
    if figure.kind is FactKind.NUMBER and things and not figure.things & best.figure.things:
        return None
    if figure.hyphenated != best.figure.hyphenated or question.hypothetical:
        return None
    if not _COMPARING.isdisjoint(question.claim.tokens.lower[figure.last : figure.last + 1]):
        return None
    if (
        figure.kind in _OPENING
        and not figure.edge
        and _is_shut(question.claim) != _is_shut(evidence.passage)
    ):
        return None
    if figure.kind is FactKind.DATE and not _same_event(question.claim, figure, evidence.passage):
        return None
    if evidence.denied is not question.denied:
        return None
    if agreeing and max(agreeing) <= best.match - _FARTHER:
        return replace(best, swapped=True)
    return None if evidence.conditional and not is_conditional(question.claim) else best


def _least_match(question: FigureQuery, evidence: Evidence) -> float:
    """The subject match from which the passage's figure opposes the claim's."""
    openings = {question.claim.words[0], evidence.passage.words[0]}
    points_back = not openings.isdisjoint(SUBJECT_PRONOUNS) and not question.names
    return _SAME_SUBJECT_PRONOUN if points_back else _SAME_SUBJECT


def _is_about(question: FigureQuery, at: int, candidate: _Candidate) -> bool:
    """Whether enough of the words around the claim's figure stand around the passage's."""
    return overlap(question.subjects[at], candidate.about) >= _LEAST_OVERLAP


def _of_the_event(
    claim: Stretch, figure: Figure, candidates: Sequence[_Candidate], theirs: Sequence[Evidence]
) -> list[_Candidate]:
    """The dates of what the claim dates: a founding says nothing of when something closed."""
    return [
        candidate
        for candidate in candidates
        if _same_event(claim, figure, theirs[candidate.evidence].passage)
    ]


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


def _is_misplaced(figure: Figure, rival: _Candidate) -> bool:
    """Whether a large number differs from the source's in its scale alone: 15 and 1.5 million."""
    low, high = sorted((figure.low, rival.figure.low))
    # The figures of a table are often in thousands, which its heading says.
    if low <= 0 or high < _LARGE or rival.figure.step < _SCALED or rival.match < _SURE_MATCH:
        return False
    power = log10(high / low)
    return power >= 1 and abs(power - round(power)) < _LEEWAY


def _is_same(figure: Figure, other: Figure) -> bool:
    """Whether two figures of the claim and the source are of one value."""
    return comparable(figure, other) and relate(figure, other) is Relation.EQUAL


def _is_turned(figure: Figure, other: Figure) -> bool:
    """ "At least 40" against "at most 40": one value, opposite bounds."""
    turned = (figure.bound.is_lower and other.bound.is_upper) or (
        figure.bound.is_upper and other.bound.is_lower
    )
    return turned and figure.low == other.low and not figure.turned and not other.turned


def _nearness(figure: Figure, other: Figure) -> float:
    """How near two values are, 0 (equal) and below; rates of another time are not near."""
    far = _FAR if (figure.rate is None) != (other.rate is None) else 0.0
    return -far - (abs(log(other.low / figure.low)) if figure.low > 0 and other.low > 0 else 0.0)


def _is_shut(stretch: Stretch) -> bool:
    return not _SHUT.isdisjoint(stretch.words)


def _is_near(figure: Figure, rival: _Candidate) -> bool:
    """Whether two values are of one order of magnitude."""
    return abs(_nearness(figure, rival.figure)) <= log(_MOST_APART)


def _fact(
    claim: Stretch, figure: Figure, candidate: _Candidate, theirs: Sequence[Evidence]
) -> FigureEvidence:
    evidence = theirs[candidate.evidence]
    span = evidence.passage.span(candidate.figure.first, candidate.figure.last)
    return FigureEvidence(
        figure.kind, candidate.relation, claim.span(figure.first, figure.last),
        candidate.evidence, span, round(candidate.match, _DIGITS),
        f"the source says “{evidence.quote(candidate.figure)}”",
        lead=figure.lead,
    )  # fmt: skip


def _derived_fact(
    claim: Stretch, figure: Figure, derived: Derived, theirs: Sequence[Evidence]
) -> FigureEvidence:
    passage = theirs[derived.evidence].passage
    span = passage.span(derived.parts[0].first, derived.parts[-1].last)
    return FigureEvidence(
        figure.kind, Relation.ENTAILED, claim.span(figure.first, figure.last), derived.evidence,
        span, 1.0, f"follows from the source: {derived.words}", derived=True,
        span=derived.words if _is_only_span(claim, derived, theirs[derived.evidence]) else "",
    )  # fmt: skip


def _is_only_span(claim: Stretch, derived: Derived, evidence: Evidence) -> bool:
    """Whether a span of time is between the only dates or times of an unconditional passage."""
    if derived.parts[0].kind not in _SPANNED or "than" in claim.words or evidence.conditional:
        return False
    spanned = sum(figure.kind in _SPANNED for figure in evidence.figures)
    return spanned == len({part.first for part in derived.parts})


def _as_own_count(fact: FigureEvidence) -> FigureEvidence:
    """A count that a price was multiplied by is the claim's own, whatever the source counts."""
    reason = "a count of what the source gives the price of"
    return FigureEvidence(fact.kind, Relation.ENTAILED, fact.claim_span, None, None, 0.0, reason)
