"""What a figure is about: the words that stand nearest to it, and those of its sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.facts.figures import EDGE_WORDS, Figure
from analysis.engine.facts.model import Stretch
from text.tokens import MARK, NUMBER
from text.verbs import finite_form
from text.words import word_set

_APART = 6
"""A comma or an "and" between a word and a figure counts as so many words."""
_DELIMITERS = word_set("and but while whereas or for , ; :") - {"for"}
_OTHERS = 0.3
"""Weight of the words of the claim that stand nearer to another of its figures."""
_ELSEWHERE = 0.4
"""How far a word in the sentence speaks for a figure that it stands not nearest to."""
_AROUND = 0.3
"""The same of a word in a neighbouring sentence or the title."""
_VERB = 0.5
"""Weight of a verb beside that of a noun: "A costs 5 and B 7" says it of both."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The words (stems) of a figure's own clause, and those of the rest of its sentence."""

    own: frozenset[str]
    rest: frozenset[str]
    around: frozenset[str] = frozenset()


def subjects(stretch: Stretch, figures: Sequence[Figure]) -> list[Subject]:
    """The subject of each figure: each word belongs to the figure nearest to it."""
    own = [set[str]() for _ in figures]
    places = _places(stretch)
    taken = {at for figure in figures for at in range(figure.first, figure.last)}
    timed = any(figure.edge for figure in figures)
    rest: set[str] = set()
    for at in range(stretch.first, stretch.last):
        term = stretch.tokens.terms[at]
        if not term or at in taken or stretch.tokens.kinds[at] == NUMBER:
            continue
        if timed and stretch.tokens.lower[at] in EDGE_WORDS:
            continue
        rest.add(term)
        if figures:
            apart = [_distance(places, at, figure) for figure in figures]
            nearest = min(apart)
            for index, distance in enumerate(apart):
                if distance == nearest:
                    own[index].add(term)
    return [Subject(frozenset(words), frozenset(rest - words), stretch.around) for words in own]


def _places(stretch: Stretch) -> list[int]:
    """A place for each token on a line where delimiters take more room."""
    places, at = [0] * stretch.first, 0
    for index in range(stretch.first, stretch.last):
        delimits = stretch.tokens.lower[index] in _DELIMITERS
        places.append(at)
        at += _APART if delimits else int(stretch.tokens.kinds[index] != MARK)
    return places


def _distance(places: list[int], at: int, figure: Figure) -> int:
    if at < figure.first:
        return places[figure.first] - places[at]
    return places[at] - places[figure.last - 1]


def match(claim: Subject, source: Subject) -> float:
    """How far (0-1) the source's figure is about what the claim's figure is about."""
    wanted = [(term, 1.0) for term in claim.own] + [(term, _OTHERS) for term in claim.rest]
    wanted += [(term, _OTHERS) for term in claim.around if term not in claim.own | claim.rest]
    total = reached = 0.0
    for term, weight in wanted:
        weight *= _VERB if finite_form(term) or finite_form(f"{term}s") else 1.0
        total += weight
        reached += weight * _strength(term, source)
    return reached / total if total else 0.0


def _strength(term: str, source: Subject) -> float:
    if term in source.own:
        return 1.0
    if term in source.rest:
        return _ELSEWHERE
    return _AROUND if term in source.around else 0.0


def overlap(claim: Subject, source: Subject) -> float:
    """Share (0-1) of the claim's own words that stand anywhere near the source's figure."""
    wanted = claim.own or claim.rest
    near = source.own | source.rest | source.around
    return len(wanted & near) / len(wanted) if wanted else 0.0
