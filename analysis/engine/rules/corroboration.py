"""Figures that another passage confirms: then the passage with another figure is about another.

A recipe has many times in minutes, a forecast many hours. "Let them rest for 10 minutes" is not
contradicted by "cook the edges for 1 minute" where a passage that is as much about the claim
says "let rest for 10 min" (docs/decisions/0518).
"""

from collections.abc import Sequence

from analysis.engine.evidence.corpus import Corpus, terms_of
from analysis.engine.rules.conflicts import Asked, aboutness
from analysis.engine.types import Conflict, ConflictKind
from text import dates, numbers
from text.figures import Figures

Against = dict[int, list[tuple[Conflict, float]]]
FIGURES = (ConflictKind.NUMBER, ConflictKind.DATE)
_CARRIED = 0.75


def settle(asked: Asked, corpus: Corpus, against: Against) -> Against:
    """The conflicts by passage, without those of figures that another passage confirms."""
    figured = {at: _of_figures(found) for at, found in against.items()}
    if not any(figured.values()):
        return against
    about = max(
        (
            _about(asked, corpus, at)
            for at in against
            if not figured[at] and _says(asked, corpus, at)
        ),
        default=0.0,
    )
    return {
        at: [one for one in found if one[0].kind not in FIGURES or one[1] > about]
        for at, found in against.items()
    }


def carries(asked: Asked, corpus: Corpus, index: int) -> bool:
    """Whether the passage itself has three quarters of the claim's terms and all its names."""
    held = corpus.passages[index].terms
    shared = len(asked.terms & held)
    return shared >= _CARRIED * len(asked.terms) and all(name <= held for name in asked.names)


def _of_figures(found: list[tuple[Conflict, float]]) -> bool:
    return any(conflict.kind in FIGURES for conflict, _ in found)


def _says(asked: Asked, corpus: Corpus, index: int) -> bool:
    """Whether a passage confirms every figure of the claim."""
    ours, theirs = asked.facts.figures, corpus.facts(index).figures
    return all(confirmed(one, theirs.quantities) for one in ours.quantities) and all(
        any(same_date(one, other) for other in theirs.dates) for one in ours.dates
    )


def _about(asked: Asked, corpus: Corpus, index: int) -> float:
    """How far (0-1) the passage is about the claim, its figures left out."""
    figures: Figures = asked.facts.figures
    ends = [(one.first, one.last) for one in figures.quantities]
    ends += [(one.first, one.last) for one in figures.dates]
    said = (term for end in ends for term in terms_of(asked.tokens, *end))
    return aboutness(asked, corpus, index, frozenset(said))


def confirmed(quantity: numbers.Quantity, known: Sequence[numbers.Quantity]) -> bool:
    """Whether one of the known quantities says as much as this one."""
    return any(
        (numbers.comparable(quantity, other) or not (quantity.unit or other.unit))
        and numbers.agree(quantity, other)
        and not numbers.is_vaguer(quantity, other)
        for other in known
    )


def same_date(one: dates.Date, other: dates.Date) -> bool:
    """Agrees, and says at least as much."""
    lacks = (one.year is not None and other.year is None) or (one.month and not other.month)
    lacks = lacks or (one.day and not other.day) or one.years < other.years
    return not lacks and dates.agree(one, other)
