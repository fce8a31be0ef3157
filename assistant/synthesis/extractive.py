"""Without a language model: the sentences of the bundle that answer best, as they stand, cited.

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

from assistant.evidence import EvidenceBundle, EvidenceKind
from assistant.synthesis.candidates import Candidate, candidates
from assistant.synthesis.conflicts import LimitConflict, Statement, conflicts_with, stricter
from assistant.synthesis.deciding import (
    NO,
    YES,
    Decision,
    decide,
    fits,
    is_statement,
    question_figures,
)
from assistant.synthesis.drafts import NOT_FOUND, Draft
from assistant.synthesis.figures import asks_for_figure, figure_share
from assistant.synthesis.limits import Limit, limits_in
from assistant.synthesis.subject import Subject, join_texts, matter_of, subject_of
from assistant.synthesis.telegraphic import in_whole
from assistant.synthesis.wording import as_ruled, matters
from documents.lexical import terms

BY = "extractive"
NO_MODEL = (
    "No language model was used: these are the closest sentences of the sources, word for word."
)
UNUSED = "No language model was used."
ALSO, FORECAST = "Also in the documents:", "From the weather service:"

STRICTER = "the stricter of two limits"
_BEARS_ON = 0.5
"""Share of the question's subject from which something told is quoted beside the answer."""

Embed = Callable[[Sequence[str]], Any]
"""A matrix (texts, dimensions) with rows of length 1."""


@dataclass(frozen=True, slots=True)
class Selection:
    """How sentences are chosen; the figures of docs/concepts/assistant.md say why these.

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


DEFAULT = Selection()


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A candidate with its score (about 0-1) and its row in the matrix of embeddings."""

    candidate: Candidate
    score: float
    row: int


def extract(
    question: str, bundle: EvidenceBundle, embed: Embed, choosing: Selection = DEFAULT
) -> Draft:
    """A draft of sentences of the bundle; without text where no sentence of it is an answer, and
    where nothing is asked.

    The weather's statements were made for the question and are taken as they come. Raises what
    `embed` raises.
    """
    if is_statement(question):
        return Draft("", BY)
    matter = _matter(question)
    pool, subject = candidates(bundle.usable), subject_of(matter)
    rules = [
        item
        for item in pool
        if item.kind is EvidenceKind.DOCUMENT and _answers(matter, subject, item)
    ]
    forecasts = [item for item in pool if item.kind is EvidenceKind.WEATHER][
        : choosing.most_weather
    ]
    best = choose(question, rules, embed, choosing)
    memories = _memories(subject, bundle)
    if not best and not forecasts:
        return _from_memory(matter, bundle, memories)
    resolved = Question(matter, subject, _winds(forecasts))
    draft = Draft(_text(_settling(resolved, best), forecasts), BY, (NO_MODEL,), memories)
    return _lead_draft(resolved, draft, best[0], rules, bundle) if best else draft


def _matter(question: str) -> str:
    return in_whole(matter_of(question))


def disagreements(question: str, bundle: EvidenceBundle) -> tuple[LimitConflict, ...]:
    """The limits of a bundle that do not agree on what is asked, whoever writes the answer."""
    matter = _matter(question)
    subject = subject_of(matter)
    rules = [
        candidate
        for candidate in candidates(bundle.usable)
        if candidate.kind is EvidenceKind.DOCUMENT
    ]
    relevant = [item for item in rules if _answers(matter, subject, item)]
    deciding = [item for item in relevant if decide(matter, item.text)]
    if not deciding:
        return ()
    best = max(
        deciding,
        key=lambda candidate: subject.share(join_texts([candidate.context, candidate.text])),
    )
    return _conflicts(Question(matter, subject, ()), best, relevant, bundle)


def from_memory(question: str, bundle: EvidenceBundle) -> Draft:
    """What was told, as the answer where the documents hold none; without anything else to say."""
    matter = _matter(question)
    return _from_memory(matter, bundle, _memories(subject_of(matter), bundle))


def _answers(question: str, subject: Subject, candidate: Candidate) -> bool:
    own = join_texts([candidate.context, candidate.text])
    return subject.is_of(own, join_texts(candidate.near)) and fits(question, candidate.text)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what it is about, and the strongest wind of the forecast, to hold against a
    limit where the question has no figure of its own."""

    text: str
    subject: Subject
    winds: tuple[Limit, ...]

    def decide(self, sentence: str) -> Decision | None:
        return decide(self.text, sentence, question_figures(self.text) or self.winds)


def _settling(question: Question, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Where the first sentence says yes or no, only those beside it that say the other."""
    decisions = [question.decide(item.text) for item in candidates]
    if not decisions or decisions[0] is None or decisions[0].lead not in (YES, NO):
        return candidates
    others = zip(candidates[1:], decisions[1:], strict=True)
    lead = decisions[0].lead
    return [candidates[0], *(item for item, other in others if other and other.lead != lead)]


def _winds(candidates: Sequence[Candidate]) -> tuple[Limit, ...]:
    winds = [limit for item in candidates for limit in limits_in(item.text) if limit.unit == "m/s"]
    return (max(winds, key=lambda limit: limit.value),) if winds else ()


def _memories(subject: Subject, bundle: EvidenceBundle) -> tuple[int, ...]:
    """The numbers of what was told that bears on the question."""
    shares = {item.number: subject.share(item.text) for item in bundle.remembered}
    return tuple(number for number, share in shares.items() if share >= _BEARS_ON)


def _from_memory(question: str, bundle: EvidenceBundle, memories: Sequence[int]) -> Draft:
    """The documents are silent: what was told answers, where it speaks of the subject."""
    subject = subject_of(question)
    for item in bundle.remembered:
        if item.number in memories and subject.is_of(item.text) and fits(question, item.text):
            decision = decide(question, item.text)
            lead = decision.lead if decision else ""
            return Draft(
                "", BY, (UNUSED,), (item.number,), lead=lead, deciding=item.text, remembered=True
            )
    return Draft("", BY, (UNUSED,))


def _lead_draft(
    question: Question,
    draft: Draft,
    best: Candidate,
    candidates: Sequence[Candidate],
    bundle: EvidenceBundle,
) -> Draft:
    """The draft with what leads it, and with the limits that disagree with it."""
    conflicts = _conflicts(question, best, candidates, bundle)
    decision = question.decide(best.text)
    if conflicts:
        others = [question.decide(item.texts[1]) for item in conflicts]
        decision = stricter(question.text, best.text, [decision, *others])
    return replace(draft, lead=_lead(decision, conflicts), deciding=best.text, conflicts=conflicts)


def _conflicts(
    question: Question, best: Candidate, candidates: Sequence[Candidate], bundle: EvidenceBundle
) -> tuple[LimitConflict, ...]:
    statements = [
        Statement(item.number, item.text, "", remembered=True)
        for item in bundle.remembered
        if question.subject.is_of(item.text)
    ]
    return conflicts_with(
        question.text, _statement(best), [*map(_statement, candidates), *statements]
    )


def _statement(candidate: Candidate) -> Statement:
    return Statement(candidate.number, candidate.text, candidate.at[0])


def _lead(decision: Decision | None, conflicts: Sequence[LimitConflict]) -> str:
    if decision is None:
        return ""
    return f"{decision.lead}, by {STRICTER}" if conflicts else decision.lead


def choose(
    question: str,
    candidates: Sequence[Candidate],
    embed: Embed,
    choosing: Selection = DEFAULT,
) -> list[Candidate]:
    """The best candidates for a question, best first; none where none is good enough."""
    if not candidates:
        return []
    queries = [question, *filter(None, [as_ruled(question)])]
    matrix = embed([*queries, *map(_in_context, candidates)])
    query_rows, rows = matrix[: len(queries)], matrix[len(queries) :]
    scored = _score_candidates(question, candidates, (rows @ query_rows.T).max(axis=1), choosing)
    best = max(item.score for item in scored)
    if best < choosing.floor:
        return []
    near = [item for item in scored if item.score >= choosing.near * best]
    return [item.candidate for item in _pick_varied(near, rows, choosing)]


def _in_context(candidate: Candidate) -> str:
    return f"{candidate.context}. {candidate.text}" if candidate.context else candidate.text


def _score_candidates(
    question: str,
    candidates: Sequence[Candidate],
    cosines: Sequence[float],
    choosing: Selection,
) -> list[ScoredCandidate]:
    """`cosines`: of each candidate to the question, or to its matter in the nouns of rules."""
    shares = _word_shares(question, candidates)
    wants = asks_for_figure(question)
    return [
        ScoredCandidate(
            item,
            choosing.meaning * float(cosines[at])
            + choosing.words * shares[at]
            + (choosing.figure * figure_share(question, item.text) if wants else 0.0)
            + (choosing.decides if decide(question, item.text) else 0.0),
            at,
        )
        for at, item in enumerate(candidates)
    ]


def _word_shares(question: str, candidates: Sequence[Candidate]) -> list[float]:
    """For each candidate the share (0-1) of the question's words it holds, rare ones counting more.

    A word counts as held where its noun in rules is; words of the heading count half.
    """
    rows = matters(question)
    own = [set(terms(item.text)) for item in candidates]
    with_heading = [own[at] | set(terms(item.context)) for at, item in enumerate(candidates)]
    own_shares = [[_naming_share(row, words) for row in rows] for words in own]
    heading_shares = [[_naming_share(row, words) for row in rows] for words in with_heading]
    holding = [sum(1 for item in own_shares if item[at] == 1) for at in range(len(rows))]
    rare = [math.log(1 + len(candidates) / (0.5 + count)) for count in holding]
    total = sum(rare)
    if not total:
        return [0.0] * len(candidates)
    return [
        sum(weight * (a + b) / 2 for weight, a, b in zip(rare, own_row, heading_row, strict=True))
        / total
        for own_row, heading_row in zip(own_shares, heading_shares, strict=True)
    ]


def _naming_share(row: Sequence[frozenset[str]], words: set[str]) -> float:
    """The share (0-1) of the best of a row's namings that stands among the words."""
    return max(len(item & words) / len(item) for item in row if item)


def _pick_varied(
    scored: Sequence[ScoredCandidate], vectors: Any, choosing: Selection
) -> list[ScoredCandidate]:
    """Greedily the best by score less likeness to what was chosen, at most `most`."""
    remaining, choices = sorted(scored, key=lambda item: -item.score), list[ScoredCandidate]()
    while remaining and len(choices) < choosing.most:

        def worth(scored_candidate: ScoredCandidate) -> float:
            likeness = max(
                (float(vectors[scored_candidate.row] @ vectors[c.row]) for c in choices),
                default=0.0,
            )
            return (1 - choosing.variety) * scored_candidate.score - choosing.variety * likeness

        best = max(remaining, key=worth)
        choices.append(best)
        remaining.remove(best)
    return choices


def _text(candidates: Sequence[Candidate], forecasts: Sequence[Candidate]) -> str:
    """Cited sentences: the best with its exceptions, further ones, those of the weather."""
    parts = [NOT_FOUND]
    if candidates:
        best, *others = candidates
        parts = ["\n".join([_citation(best), *_exception_lines(best)])]
        further = [item for item in others if item.text not in best.exceptions]
        if further:
            parts.append("\n".join([ALSO, *map(_line, further)]))
    if forecasts:
        parts.append("\n".join([FORECAST, *map(_line, forecasts)]))
    return "\n\n".join(parts)


def _exception_lines(candidate: Candidate) -> list[str]:
    return [f"- {text} [{candidate.number}]" for text in candidate.exceptions]


def _citation(candidate: Candidate) -> str:
    return f"{candidate.text} [{candidate.number}]"


def _line(candidate: Candidate) -> str:
    return f"- {_citation(candidate)}"
