"""Without a language model: the sentence of the bundle that answers best, as it stands, cited.

A sentence is scored for the question by meaning (cosine, a tenth of it that of its heading), by the
share of the question's words that it and its heading hold, with the sentence before it and without,
rare ones counting more, and by the rank of its passage. The judge of answers, where there is one,
reads the best under their headings, and what it says counts most. From a limit on a sentence
answers, and the sooner the further the next one is behind. Below that nothing is claimed: the
closest passages are shown as such. `manage.py evaluate_assistant` measures both.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from analysis.engine.safety.suggested_questions import questions_of
from assistant.evidence import EvidenceBundle, EvidenceKind, ResolvedQuestion
from assistant.synthesis.candidates import Candidate, candidates
from assistant.synthesis.conflicts import LimitConflict, Statement, conflicts_with
from assistant.synthesis.drafts import NOT_FOUND, Draft
from assistant.synthesis.figures import figure_words, lacks_figure, quantities_of
from assistant.weather.days import asks_for_weather
from assistant.weather.words import OUTDOOR_WORK
from documents.lexical import terms
from lib.text.quantity import LABEL
from lib.text.stems import stem
from lib.text.tokens import WORD, Tokens, tokenize
from lib.text.words import word_set

BY = "extractive"
NO_MODEL = (
    "No language model was used: these are the closest sentences of the sources, word for word."
)
UNUSED = "No language model was used."
ALSO, FORECAST = "Also in the documents:", "From the weather service:"
SILENT = f"{NOT_FOUND.rstrip('.')}: “{{question}}”"
"""Note on an unanswered question if others of the message are answered."""
TAKEN = "I took this as: “{question}”"
"""Note that the manager's words were completed."""
LIMITS_OF_WORK = "the wind, gusts, rain or temperature at which the work stops"
"""The second search of the documents for a question about the weather."""

CERTAIN, CERTAIN_READ = 0.95, 10.0
"""Scores from which a sentence answers: by the embedding model alone (about 0-1.9), and where the
judge of answers has read it (docs/concepts/assistant.md)."""
OF_LEAD = 0.5
"""The worth in it of a lead of 1 over the next sentence."""
CLOSE = 0.35
"""Score by the embedding model from which a sentence is shown as close."""
_OF_HEADING = 0.1
"""Share of the heading in the cosine of a sentence."""
_OF_WORDS, _OF_RANK, _OTHER_THING = 0.7, 0.2, 0.3
"""Weights of all the question's words and of the best rank beside a cosine of 1, and the deduction
for a sentence about another thing of the same kind."""
_READ, _OF_FIRST, _NEWER = 12, 8.0, 3.0
"""Sentences that the judge of answers reads, the weight of their score beside its log-odds, and how
much lower a newer issue of the document may score to take the place of an older one (chosen, as
CERTAIN_READ, on 360 questions of `manage.py evaluate_assistant`)."""
_PEOPLE = word_set(
    "people person persons somebody someone anybody anyone nobody everybody everyone worker "
    "workers employee employees crew crews team teams men staff"
)
_ORDINALS = word_set("first second third fourth fifth sixth seventh eighth ninth tenth last next")
_BEARS_ON = 0.6
"""Score from which a remembered statement is quoted beside the answer."""
_MOST_ALSO, _MOST_CLOSE, _MOST_WEATHER = 2, 3, 5
_MOST_SUGGESTED, _MOST_TRIED, _NEAR = 3, 6, 0.4
"""Questions offered where one is not answered, questions tried, and the cosine to it that they
have."""
_IDENTIFIER = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+")
_WORK = frozenset(map(stem, OUTDOOR_WORK - word_set("work working works outside outdoors")))

Embed = Callable[[Sequence[str]], Any]
"""A matrix (texts, dimensions) with rows of length 1."""
Answering = Callable[[str, Sequence[str]], Sequence[float]]
"""The log-odds that each text answers a question."""


@dataclass(frozen=True, slots=True)
class Readers:
    """`embed` reads every sentence, `answering` the best ones; None without such a judge."""

    embed: Embed
    answering: Answering | None = None


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A candidate with its score, and the one it had from the embedding model alone.

    `another`: it speaks of another thing of the kind, or has no figure or identifier where one is
    asked for. `certain`: it is the best one, and answers.
    """

    candidate: Candidate
    score: float
    first_score: float
    another: bool
    certain: bool = False

    @property
    def close(self) -> bool:
        """True if it may be shown, though it does not answer."""
        return self.first_score >= CLOSE


def extract(
    questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle, readers: Readers
) -> Draft:
    """Return a draft for the questions of a message, of sentences of the bundle.

    Raises what the readers raise.
    """
    also = _MOST_ALSO if len(questions) == 1 else 0
    readers = replace(readers, embed=_once_each(readers.embed))
    drafts = [_extract(item.text, bundle, readers, also) for item in questions]
    silent = tuple(
        SILENT.format(question=item.text.rstrip(".?! ") + "?")
        for item, draft in zip(questions, drafts, strict=True)
        if not draft.text and not draft.remembered
    )
    answers = [draft for draft in drafts if draft.text] or [d for d in drafts if d.remembered]
    if not answers:
        return replace(drafts[0], suggested=_suggested(questions[0].text, bundle, readers))
    if len(drafts) == 1:
        return drafts[0]
    return replace(
        answers[0],
        text="\n\n".join(dict.fromkeys(draft.text for draft in answers if draft.text)),
        notes=(*silent, *answers[0].notes),
        memories=tuple(dict.fromkeys(n for draft in drafts for n in draft.memories)),
        conflicts=tuple(item for draft in answers for item in draft.conflicts),
    )


def _once_each(embed: Embed) -> Embed:
    """Return `embed`, which is asked for the vector of a text only once."""
    vectors = dict[str, Any]()

    def embed_new(texts: Sequence[str]) -> Any:
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        vectors.update(zip(new, embed(new), strict=True) if new else ())
        return np.stack([vectors[text] for text in texts])

    return embed_new


def _suggested(question: str, bundle: EvidenceBundle, readers: Readers) -> tuple[str, ...]:
    """Return questions near to this one that are answered for sure, the nearest first."""
    pool = [item for item in candidates(bundle.usable) if item.kind is not EvidenceKind.WEATHER]
    texts = [f"{item.place.get('section', '')}\n\n{item.text}" for item in bundle.usable]
    others = dict.fromkeys(other for text in texts for other in questions_of(text.strip()))
    if not others or not pool:
        return ()
    own, *vectors = readers.embed([question, *others])
    cosines = (float(own @ vector) for vector in vectors)
    near = sorted(zip(cosines, others, strict=True), reverse=True)
    answerable = (
        other
        for cosine, other in near[:_MOST_TRIED]
        if cosine >= _NEAR and ranked(other, pool, readers)[0].certain
    )
    return tuple(islice(answerable, _MOST_SUGGESTED))


def taken_notes(questions: Sequence[ResolvedQuestion]) -> tuple[str, ...]:
    """Return notes on how the manager's words were completed."""
    return tuple(TAKEN.format(question=item.text) for item in questions if item.changed)


def _extract(question: str, bundle: EvidenceBundle, readers: Readers, most_also: int) -> Draft:
    """Return a draft of quotations.

    The weather's statements were made for the question and are taken as they come.
    """
    pool = candidates(bundle.usable)
    forecasts = [item for item in pool if item.kind is EvidenceKind.WEATHER][:_MOST_WEATHER]
    rules = ranked(question, [item for item in pool if item not in forecasts], readers)
    remembered = [
        Candidate(item.number, item.text, "", ("", item.number), item.kind)
        for item in bundle.remembered
    ]
    facts = ranked(question, remembered, readers)
    memories = tuple(item.candidate.number for item in facts if item.first_score >= _BEARS_ON)
    best = rules[0] if rules and rules[0].certain else None
    if facts and facts[0].certain and _outranks(facts[0], best):
        return Draft("", BY, (UNUSED,), (facts[0].candidate.number,), remembered=True)
    closest = tuple(
        (item.candidate.number, item.candidate.text)
        for item in rules[:_MOST_CLOSE]
        if best is None and item.close
    )
    if best is None and not forecasts:
        return Draft("", BY, (UNUSED,), memories, closest=closest)
    answers = []
    if best:
        answer = " ".join(quoted := _quoted(question, best.candidate))
        others = _others(rules[1:], quoted)[:most_also]
        answers = [f"{answer} [{best.candidate.number}]", *_list(ALSO, others)]
    text = "\n\n".join([*answers, *_list(FORECAST, forecasts)])
    draft = Draft(text, BY, (NO_MODEL,), memories, closest=closest)
    return replace(draft, conflicts=_conflicts(rules, bundle, memories)) if best else draft


def _outranks(fact: ScoredCandidate, rule: ScoredCandidate | None) -> bool:
    """Return whether what was told answers instead of the rule; another limit keeps the rule."""
    if rule is None:
        return True
    limit, other = _statement(rule.candidate), _statement(fact.candidate, remembered=True)
    return fact.score > rule.score and not conflicts_with(limit, [other])


def disagreements(
    questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle, readers: Readers
) -> tuple[LimitConflict, ...]:
    """Return the conflicting limits of a bundle on the question, whoever writes the answer."""
    drafts = [_extract(item.text, bundle, readers, 0) for item in questions]
    return tuple(item for draft in drafts for item in draft.conflicts)


def _conflicts(
    rules: Sequence[ScoredCandidate], bundle: EvidenceBundle, memories: Sequence[int]
) -> tuple[LimitConflict, ...]:
    best, *rest = rules
    others = (_statement(item.candidate) for item in rest if not item.another)
    facts = (
        Statement(item.number, item.text, "", remembered=True)
        for item in bundle.remembered
        if item.number in memories
    )
    return conflicts_with(_statement(best.candidate), [*others, *facts])


def _statement(candidate: Candidate, *, remembered: bool = False) -> Statement:
    return Statement(candidate.number, candidate.text, candidate.at[0], remembered)


def ranked(question: str, pool: Sequence[Candidate], readers: Readers) -> list[ScoredCandidate]:
    """Return the candidates for a question, best first."""
    if not pool:
        return []
    outdoors = asks_for_weather(tokenize(question))
    queries = [question, *([f"{question} {LIMITS_OF_WORK}"] if outdoors else [])]
    subject = _subject(question, outdoors=outdoors)
    scored = _scored(question, queries, subject, pool, readers.embed)
    if readers.answering:
        scored = _read(queries, scored, readers.answering)
    limit = CERTAIN_READ if readers.answering else CERTAIN
    best, *rest = scored
    other = next((item.score for item in rest if item.candidate.text != best.candidate.text), None)
    lead = best.score - (CLOSE if other is None else other)
    is_other = best.another and not readers.answering
    best = replace(best, certain=best.score + OF_LEAD * lead >= limit and not is_other)
    return _newest_first(best, rest) if readers.answering else [best, *rest]


def _read(
    queries: Sequence[str], scored: Sequence[ScoredCandidate], answering: Answering
) -> list[ScoredCandidate]:
    """Return the candidates in their new order; those that are not read stay behind the others."""
    first, others = scored[:_READ], scored[_READ:]
    texts = [in_context(item.candidate) for item in first]
    odds = np.max([answering(query, texts) for query in queries], axis=0)
    read = [
        replace(item, score=float(each) + _OF_FIRST * item.first_score)
        for item, each in zip(first, odds, strict=True)
    ]
    read.sort(key=lambda item: -item.score)
    return [*read, *(replace(item, score=read[-1].score) for item in others)]


def _newest_first(best: ScoredCandidate, rest: Sequence[ScoredCandidate]) -> list[ScoredCandidate]:
    """Return the candidates, a newer issue of the same document (minutes, reports) in front."""
    newer = [
        item
        for item in rest[: _READ - 1]
        if item.score >= best.score - _NEWER and item.candidate.is_newer(best.candidate)
    ]
    if not newer:
        return [best, *rest]
    latest = max(newer, key=lambda item: (item.candidate.dated, item.score))
    others = [item for item in (best, *rest) if item is not latest]
    return [replace(latest, certain=best.certain), *others]


def _scored(
    question: str,
    queries: Sequence[str],
    subject: set[str],
    pool: Sequence[Candidate],
    embed: Embed,
) -> list[ScoredCandidate]:
    """Return the candidates by their score, best first."""
    tokens, texts = tokenize(question), list(map(in_context, pool))
    vectors = embed(queries).T
    of_sentences = (embed([item.text for item in pool]) @ vectors).max(axis=1)
    of_headings = (embed([item.context or item.text for item in pool]) @ vectors).max(axis=1)
    cosines = (1 - _OF_HEADING) * of_sentences + _OF_HEADING * of_headings
    behind = [f"{item.before} {text}" for item, text in zip(pool, texts, strict=True)]
    shares = np.mean([_word_shares(subject, texts), _word_shares(subject, behind)], axis=0)
    identifiers = _identifiers(question)
    another = [
        (bool(identifiers) and identifiers.isdisjoint(_identifiers(text)))
        or names_another(tokens, text)
        or lacks_figure(tokens, " ".join([item.text, *item.attached]))
        for item, text in zip(pool, texts, strict=True)
    ]
    scores = [
        float(
            cosines[at]
            + _OF_WORDS * shares[at]
            + _OF_RANK / (1 + item.number)
            - _OTHER_THING * another[at]
        )
        for at, item in enumerate(pool)
    ]
    scored = [
        ScoredCandidate(item, score, score, is_another)
        for item, score, is_another in zip(pool, scores, another, strict=True)
    ]
    return sorted(scored, key=lambda item: -item.score)


def in_context(candidate: Candidate) -> str:
    """Return the sentence under its heading, or behind the question of an FAQ."""
    context = candidate.context
    stop = "" if context.endswith("?") else "."
    return f"{context}{stop} {candidate.text}" if context else candidate.text


def _identifiers(text: str) -> set[str]:
    """Return the words with letters and digits, in small letters: "F207"."""
    return {word.lower() for word in _IDENTIFIER.findall(text)}


def _subject(question: str, *, outdoors: bool) -> set[str]:
    """Return the words of a question without its quantities, which a rule need not share.

    Of a question for the weather it is the work that it names.
    """
    words = set(terms(question)).difference(*map(terms, figure_words(question)))
    return (words & _WORK if outdoors else set()) or words


def _word_shares(subject: set[str], texts: Sequence[str]) -> list[float]:
    """Return for each text the share (0-1) of the words that it holds; rare ones count more."""
    common = [subject & set(terms(text)) for text in texts]
    counts = Counter(word for words in common for word in words)
    worth = {word: math.log(1 + len(texts) / (0.5 + counts[word])) for word in subject}
    total = sum(worth.values()) or 1.0
    return [sum(worth[word] for word in words) / total for words in common]


def names_another(question: Tokens, sentence: str) -> bool:
    """Return whether a sentence speaks of another thing of the kind than the question.

    Of the tower crane where the mobile crane is asked for, of the first floor for the second, of
    pile 9 for pile 14.
    """
    tokens = tokenize(sentence)
    stated = _pairs(tokens, counts=True)
    words = {term for term in tokens.terms if term} | set(tokens.lower)
    return any(
        head in stated and first not in words and stated[head] - {first}
        for head, firsts in _pairs(question, counts=False).items()
        for first in firsts
    )


def _pairs(tokens: Tokens, *, counts: bool) -> dict[str, set[str]]:
    """Return for each word what identifies it: the words right before it, and the number behind it.

    Both words must say something, and the number measure nothing. `counts`: also where it may
    count what follows.
    """
    pairs = defaultdict[str, set[str]](set)
    for item in quantities_of(tokens):
        at = item.first - 1
        names = item.unit == LABEL or (item.unit == "" and (counts or not item.things))
        if names and at >= 0 and tokens.terms[at]:
            pairs[tokens.terms[at]].add(tokens.terms[item.first])
    for at in range(len(tokens) - 1):
        word, first, head = tokens.lower[at], tokens.terms[at], tokens.terms[at + 1]
        if word in _ORDINALS:
            first = word
        if word in _PEOPLE:
            continue
        beside = tokens.starts[at + 1] - tokens.ends[at] == 1
        if first and head and beside and tokens.kinds[at] == tokens.kinds[at + 1] == WORD:
            pairs[head].add(first)
    return pairs


def _quoted(question: str, best: Candidate) -> list[str]:
    """Return the sentence that answers, with those beside it that go on about it or limit it.

    Also with one that names what is asked for where it does not: "T33: first change after 50."
    """
    unnamed = set(terms(question)) - set(terms(in_context(best)))
    before = [best.before] if not unnamed.isdisjoint(terms(best.before)) else []
    behind = (
        text for text in best.behind if text in best.attached or not unnamed.isdisjoint(terms(text))
    )
    return [*before, best.text, *behind]


def _others(rules: Sequence[ScoredCandidate], quoted: Sequence[str]) -> list[Candidate]:
    """Return further sentences that are close, the closest first."""
    by_first = sorted(rules, key=lambda item: -item.first_score)
    return [item.candidate for item in by_first if item.close and item.candidate.text not in quoted]


def _list(title: str, quoted: Sequence[Candidate]) -> list[str]:
    lines = [f"- {item.text} [{item.number}]" for item in quoted]
    return ["\n".join([title, *lines])] if lines else []
