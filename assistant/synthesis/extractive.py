"""Without a language model: the sentences of the bag that answer best, as they stand, cited.

Each candidate is scored for the question by meaning (cosine), by the question's own words
(weighted by how rare they are among the candidates) and, where the question is about a figure, by
whether it holds one of that kind, best of that very dimension. Maximal marginal relevance
(Carbonell and Goldstein 1998) keeps one of many that say the same.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.evidence import Bag, Item, Kind
from assistant.synthesis.candidates import Candidate, candidates
from assistant.synthesis.drafts import NOT_FOUND, Draft
from assistant.synthesis.figures import asks_for_figure, figure_share
from assistant.synthesis.wording import as_ruled, matters
from documents.lexical import terms

BY = "extractive"
NO_MODEL = (
    "No language model was used: these are the sentences of the sources that come nearest, "
    "as they stand."
)
UNUSED = "No language model was used."

NEAR_MEMORY = 0.45
"""From this score of recall on (0-1) something told is near, whatever its words."""

Embed = Callable[[Sequence[str]], Any]
"""A matrix (texts, dimensions) with rows of length 1."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """How sentences are chosen; the figures of docs/assistant.md say why these.

    `floor`: below it even the best sentence is no answer. `near`: the share of the best score
    that a further sentence must reach. `variety` (0-1): how much likeness to a chosen sentence
    counts against one.
    """

    meaning: float = 0.65
    words: float = 0.35
    figure: float = 0.2
    floor: float = 0.4
    near: float = 0.85
    variety: float = 0.35
    most: int = 3
    most_weather: int = 5


DEFAULT = Choosing()


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score (about 0-1) and its row in the matrix of embeddings."""

    candidate: Candidate
    score: float
    row: int


def extract(question: str, bag: Bag, embed: Embed, choosing: Choosing = DEFAULT) -> Draft:
    """A draft of sentences of the bag; without text where no sentence of it is an answer.

    The weather's statements were made for the question and are taken as they come. Raises what
    `embed` raises.
    """
    found = candidates(bag.usable)
    written = [one for one in found if one.kind is Kind.DOCUMENT]
    told = [one for one in found if one.kind is Kind.WEATHER][: choosing.most_weather]
    chosen = choose(question, written, embed, choosing)
    if not chosen and not told:
        return Draft("", BY, (UNUSED,))
    memories = tuple(one.number for one in bag.remembered if _bears_on(question, one))
    return Draft(_text(chosen, told), BY, (NO_MODEL,), memories)


def _bears_on(question: str, memory: Item) -> bool:
    """Whether what was told shares a word with the question, or is near to it."""
    words = set(terms(memory.text))
    shares = any(one <= words for row in matters(question) for one in row)
    return shares or memory.place.get("score", 0.0) >= NEAR_MEMORY


def choose(
    question: str, found: Sequence[Candidate], embed: Embed, choosing: Choosing = DEFAULT
) -> list[Candidate]:
    """The best candidates for a question, best first; none where none is good enough."""
    if not found:
        return []
    asked = [question, *filter(None, [as_ruled(question)])]
    matrix = embed([*asked, *map(_in_context, found)])
    asked_of, rows = matrix[: len(asked)], matrix[len(asked) :]
    scored = _scored(question, found, (rows @ asked_of.T).max(axis=1), choosing)
    best = max(one.score for one in scored)
    if best < choosing.floor:
        return []
    near = [one for one in scored if one.score >= choosing.near * best]
    return [one.candidate for one in _varied(near, rows, choosing)]


def _in_context(one: Candidate) -> str:
    return f"{one.context}. {one.text}" if one.context else one.text


def _scored(
    question: str, found: Sequence[Candidate], cosines: Sequence[float], choosing: Choosing
) -> list[Scored]:
    """`cosines`: of each candidate to the question, or to its matter in the nouns of rules."""
    shares = _word_shares(question, found)
    wants = asks_for_figure(question)
    return [
        Scored(
            one,
            choosing.meaning * float(cosines[at])
            + choosing.words * shares[at]
            + (choosing.figure * figure_share(question, one.text) if wants else 0.0),
            at,
        )
        for at, one in enumerate(found)
    ]


def _word_shares(question: str, found: Sequence[Candidate]) -> list[float]:
    """For each candidate the share (0-1) of the question's words it holds, rare ones counting more.

    A word counts as held where its noun in rules is; words of the heading count half.
    """
    wanted = matters(question)
    own = [set(terms(one.text)) for one in found]
    whole = [own[at] | set(terms(one.context)) for at, one in enumerate(found)]
    held = [[_held(row, words) for row in wanted] for words in own]
    near = [[_held(row, words) for row in wanted] for words in whole]
    holding = [sum(1 for one in held if one[at] == 1) for at in range(len(wanted))]
    rare = [math.log(1 + len(found) / (0.5 + count)) for count in holding]
    total = sum(rare)
    if not total:
        return [0.0] * len(found)
    return [
        sum(weight * (a + b) / 2 for weight, a, b in zip(rare, one, other, strict=True)) / total
        for one, other in zip(held, near, strict=True)
    ]


def _held(row: Sequence[frozenset[str]], words: set[str]) -> float:
    """The share (0-1) of the best of a row's namings that stands among the words."""
    return max(len(one & words) / len(one) for one in row if one)


def _varied(scored: Sequence[Scored], vectors: Any, choosing: Choosing) -> list[Scored]:
    """Greedily the best by score less likeness to what was chosen, at most `most`."""
    left, chosen = sorted(scored, key=lambda one: -one.score), list[Scored]()
    while left and len(chosen) < choosing.most:

        def worth(one: Scored) -> float:
            likeness = max((float(vectors[one.row] @ vectors[c.row]) for c in chosen), default=0.0)
            return (1 - choosing.variety) * one.score - choosing.variety * likeness

        best = max(left, key=worth)
        chosen.append(best)
        left.remove(best)
    return chosen


def _text(written: Sequence[Candidate], told: Sequence[Candidate]) -> str:
    """Cited sentences, those of the documents first, the best first, a line each."""
    parts = [NOT_FOUND]
    if written:
        parts = ["\n".join(["From the documents:", *map(_line, written)])]
    if told:
        parts.append("\n".join(["From the weather service:", *map(_line, told)]))
    return "\n\n".join(parts)


def _line(one: Candidate) -> str:
    return f"- {one.text} [{one.number}]"
