"""The works of a site that weather can stop, with a briefing question for each."""

from collections.abc import Iterable

from lib.text.tokens import tokenize
from lib.text.words import word_set

WORKS = {
    "crane operations": word_set("crane cranes hoist hoists hoisting lifting lifts derrick"),
    "scaffold work": word_set("scaffold scaffolds scaffolding"),
    "facade and glazing work": word_set("glazing glaziers facade façade cladding windows"),
    "roof work": word_set("roof roofs roofing roofers"),
    "steel erection": word_set("steel erection ironwork girders"),
    "work on aerial lifts and ladders": word_set("mewp mewps ladder ladders platform platforms"),
    "concrete work": word_set("concrete concreting pour pours pouring formwork"),
    "excavation and trench work": word_set(
        "excavation excavations excavating trench trenches trenching earthworks"
    ),
    "painting and coating": word_set("paint painting painters coating"),
}
MOST = 5
RECALL = (
    "Which works are active on the construction site: crane operations, scaffolds, glazing and "
    "facade, roofing, steel erection, concrete, excavation, painting?"
)
"""What memory is asked."""
_OF = "Which wind, gust, rain or temperature limits apply to {work}, and what is the weather today?"
_USUAL = ("crane operations", "scaffold work", "roof work")
"""Asked about where nothing is known of the site: what wind stops first."""


def works_in(facts: Iterable[str]) -> tuple[str, ...]:
    """Return the works that the manager's facts name, in the order of WORKS, five at most."""
    fact_words: set[str] = set()
    for fact in facts:
        fact_words.update(tokenize(fact).lower)
    return tuple(work for work, words in WORKS.items() if words & fact_words)[:MOST]


def questions(facts: Iterable[str]) -> tuple[str, ...]:
    """Return a question for each active work; for the usual ones if none is known."""
    return tuple(_OF.format(work=work) for work in works_in(facts) or _USUAL)
