"""Without a language model: the sentences of the bag that answer best, as they stand, cited.

A sentence of another subject, or without the kind of thing that is asked for, is no answer. The
best one decides: it leads with yes, no or its figure where its words settle that.

Each candidate is scored for the question by meaning (cosine), by the question's own words
(weighted by how rare they are among the candidates) and, where the question is about a figure, by
whether it holds one of that kind, best of that very dimension. Maximal marginal relevance
(Carbonell and Goldstein 1998) keeps one of many that say the same.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.evidence import Bag, Kind
from assistant.synthesis.candidates import Candidate, candidates
from assistant.synthesis.conflicts import Conflict, Statement, conflicts_with, stricter
from assistant.synthesis.deciding import Decision, decide, fits, measured, tells
from assistant.synthesis.drafts import NOT_FOUND, Draft
from assistant.synthesis.figures import asks_for_figure, figure_share
from assistant.synthesis.limits import Limit, limits_in
from assistant.synthesis.subject import Subject, joined, matter_of, subject_of
from assistant.synthesis.wording import as_ruled, matters
from documents.lexical import terms

BY = "extractive"
NO_MODEL = (
    "No language model was used: these are the sentences of the sources that come nearest, "
    "as they stand."
)
UNUSED = "No language model was used."

STRICTER = "the stricter of two limits"
_BEARS_ON = 0.5
"""Share of the question's subject from which something told is quoted beside the answer."""

Embed = Callable[[Sequence[str]], Any]
"""A matrix (texts, dimensions) with rows of length 1."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """How sentences are chosen; the figures of docs/assistant.md say why these.

    `floor`: below it even the best sentence is no answer. `near`: the share of the best score
    that a further sentence must reach. `decides`: what settling the question is worth. `variety`
    (0-1): how much likeness to a chosen sentence counts against one.
    """

    meaning: float = 0.65
    words: float = 0.35
    figure: float = 0.2
    decides: float = 0.15
    floor: float = 0.25
    near: float = 0.85
    variety: float = 0.35
    most: int = 2
    most_weather: int = 5


DEFAULT = Choosing()


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score (about 0-1) and its row in the matrix of embeddings."""

    candidate: Candidate
    score: float
    row: int


def extract(question: str, bag: Bag, embed: Embed, choosing: Choosing = DEFAULT) -> Draft:
    """A draft of sentences of the bag; without text where no sentence of it is an answer, and
    where nothing is asked.

    The weather's statements were made for the question and are taken as they come. Raises what
    `embed` raises.
    """
    if tells(question):
        return Draft("", BY)
    asked = matter_of(question)
    found, subject = candidates(bag.usable), subject_of(asked)
    written = [one for one in found if one.kind is Kind.DOCUMENT and _answers(asked, subject, one)]
    told = [one for one in found if one.kind is Kind.WEATHER][: choosing.most_weather]
    chosen = choose(question, written, embed, choosing)
    memories = _memories(subject, bag)
    if not chosen and not told:
        return _from_memory(asked, bag, memories)
    draft = Draft(_text(chosen, told), BY, (NO_MODEL,), memories)
    if not chosen:
        return draft
    return _led(Question(asked, subject, _winds(told)), draft, chosen[0], written, bag)


def disagreements(question: str, bag: Bag) -> tuple[Conflict, ...]:
    """The limits of a bag that do not agree on what is asked, whoever writes the answer."""
    asked = matter_of(question)
    subject = subject_of(asked)
    found = [one for one in candidates(bag.usable) if one.kind is Kind.DOCUMENT]
    written = [one for one in found if _answers(asked, subject, one)]
    deciding = [one for one in written if decide(asked, one.text)]
    if not deciding:
        return ()
    best = max(deciding, key=lambda one: subject.share(joined([one.context, one.text])))
    return _conflicts(Question(asked, subject, ()), best, written, bag)


def from_memory(question: str, bag: Bag) -> Draft:
    """What was told, as the answer where the documents hold none; without anything else to say."""
    asked = matter_of(question)
    return _from_memory(asked, bag, _memories(subject_of(asked), bag))


def _answers(question: str, subject: Subject, one: Candidate) -> bool:
    own = joined([one.context, one.text])
    return subject.is_of(own, joined(one.near)) and fits(question, one.text)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what it is about, and the strongest wind of the forecast, to hold against a
    limit where the question has no figure of its own."""

    text: str
    subject: Subject
    winds: tuple[Limit, ...]

    def decide(self, sentence: str) -> Decision | None:
        """What a sentence answers to it."""
        return decide(self.text, sentence, measured(self.text) or self.winds)


def _winds(told: Sequence[Candidate]) -> tuple[Limit, ...]:
    found = [one for item in told for one in limits_in(item.text) if one.unit == "m/s"]
    return (max(found, key=lambda one: one.value),) if found else ()


def _memories(subject: Subject, bag: Bag) -> tuple[int, ...]:
    """The numbers of what was told that bears on the question."""
    shares = {one.number: subject.share(one.text) for one in bag.remembered}
    return tuple(number for number, share in shares.items() if share >= _BEARS_ON)


def _from_memory(question: str, bag: Bag, memories: Sequence[int]) -> Draft:
    """The documents are silent: what was told answers, where it speaks of the subject."""
    subject = subject_of(question)
    for one in bag.remembered:
        if one.number in memories and subject.is_of(one.text) and fits(question, one.text):
            decision = decide(question, one.text)
            lead = decision.lead if decision else ""
            return Draft(
                "", BY, (UNUSED,), (one.number,), lead=lead, deciding=one.text, remembered=True
            )
    return Draft("", BY, (UNUSED,))


def _led(
    question: Question, draft: Draft, best: Candidate, written: Sequence[Candidate], bag: Bag
) -> Draft:
    """The draft with what leads it, and with the limits that disagree with it."""
    found = _conflicts(question, best, written, bag)
    decision = question.decide(best.text)
    if found:
        others = [question.decide(one.texts[1]) for one in found]
        decision = stricter(question.text, best.text, [decision, *others])
    return replace(draft, lead=_lead(decision, found), deciding=best.text, conflicts=found)


def _conflicts(
    question: Question, best: Candidate, written: Sequence[Candidate], bag: Bag
) -> tuple[Conflict, ...]:
    told = [
        Statement(one.number, one.text, "", remembered=True)
        for one in bag.remembered
        if question.subject.is_of(one.text)
    ]
    return conflicts_with(question.text, _statement(best), [*map(_statement, written), *told])


def _statement(one: Candidate) -> Statement:
    return Statement(one.number, one.text, one.at[0])


def _lead(decision: Decision | None, found: Sequence[Conflict]) -> str:
    if decision is None:
        return ""
    return f"{decision.lead}, by {STRICTER}" if found else decision.lead


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
            + (choosing.figure * figure_share(question, one.text) if wants else 0.0)
            + (choosing.decides if decide(question, one.text) else 0.0),
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
    """Cited sentences: the best with its exceptions, further ones, those of the weather."""
    parts = [NOT_FOUND]
    if written:
        best, *others = written
        parts = ["\n".join([_cited(best), *_excepted(best)])]
        further = [one for one in others if one.text not in best.exceptions]
        if further:
            parts.append("\n".join(["Also in the documents:", *map(_line, further)]))
    if told:
        parts.append("\n".join(["From the weather service:", *map(_line, told)]))
    return "\n\n".join(parts)


def _excepted(one: Candidate) -> list[str]:
    return [f"- {text} [{one.number}]" for text in one.exceptions]


def _cited(one: Candidate) -> str:
    return f"{one.text} [{one.number}]"


def _line(one: Candidate) -> str:
    return f"- {_cited(one)}"
