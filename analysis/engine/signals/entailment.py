"""Zero-shot NLI (verifier API): what a model of entailment says of each claim and its windows.

A sentence is read once against each of its windows; the strongest support and the strongest
contradiction stand, each with its window.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Protocol

from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.hypotheses import Hypothesis, hypotheses
from analysis.engine.evidence.windows import Window, choose
from analysis.engine.signals.grounding import Grounded
from analysis.engine.signals.rewordings import Reworded, reword_sentence
from lib.text.negation import sounds_negative
from lib.text.tokens import MARK, Tokens

WINDOWS = 2
"""The most windows read for a sentence; each costs a reading (docs/accuracy.md has the curve)."""
SECONDS = 6.0
"""After this no further pairs are read: a check has a limit of its own; cuts are reported."""
AT_ONCE = 16
"""Sentences between two looks at the clock."""
COPIED, PHRASES, NEIGHBOURS = 0.9, 0.8, 0.6
"""A sentence is not read whose claims score as much by rules, with such a share of their phrases in
the sources and of all their neighbouring words in one passage, and with nothing against them: what
words settle needs no model."""


class PairScores(Protocol):
    """One (window, claim) pair as a model judged it: three shares of 1."""

    @property
    def entail(self) -> float: ...
    @property
    def contradict(self) -> float: ...
    @property
    def neutral(self) -> float: ...
    @property
    def truncated(self) -> bool: ...


class Model(Protocol):
    """What the engine asks of a model; `inference.nli` has them."""

    @property
    def model_id(self) -> str: ...
    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScores]: ...


@dataclass(frozen=True, slots=True)
class Entailed:
    """Scores (0-1) of one claim with the windows they come from (lead passages).

    `by` is the model's name.
    """

    entail: float
    contradict: float
    neutral: float
    supported_by: int
    contradicted_by: int
    by: str


@dataclass(frozen=True, slots=True)
class ClaimReadings:
    """All claims; None for one that was copied or that no window was found for.

    `cut` says what was cut off, `notes` what needed no reading; both in words, "" for nothing.
    """

    claims: tuple[Entailed | None, ...]
    cut: str
    notes: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its figures as the sources write them."""

    item: Hypothesis
    words: Reworded

    @property
    def text(self) -> str:
        """What the model reads: the question where it needs one, and the reworded sentence."""
        return self.item.text[: self.item.lead] + self.words.text


def entail(
    reading: Reading,
    query: str,
    grounded: Grounded,
    model: Model,
    *,
    copied: Collection[int] = (),
    by_judge: Collection[int] = (),
) -> ClaimReadings:
    """Hold every claim against its windows, but for whole sentences that are `copied` (indices).

    Sentences whose claims a judge has read already (`by_judge`) are left to it.

    Figures that the sources bear out are read as the sources write them.

    A short one is read after its question all the same. Raises what the model raises.
    """
    every = [each for each in hypotheses(reading, query) if not {*each.statements} <= {*by_judge}]
    copies = [not item.lead and {*item.statements} <= {*copied} for item in every]
    to_judge = [
        _Sentence(item, reword_sentence(reading, grounded, item))
        for item, is_copy in zip(every, copies, strict=True)
        if not is_copy
    ]
    entailments: list[Entailed | None] = [None] * len(reading.statements)
    judgements, part, unread = _judge(to_judge, grounded.corpus, model)
    for sentence, judgement in zip(to_judge, judgements, strict=True):
        part += any(result.truncated for _, result in judgement)
        if judgement:
            entailed = _strongest(judgement, name_of(model))
            for index in sentence.item.statements:
                entailments[index] = entailed
    # What could change nothing is not read, but never left out in silence.
    notes = f"{sum(copies)} sentences copied from a source were not read" if any(copies) else ""
    return ClaimReadings(tuple(entailments), _cut(part, unread), notes)


def _cut(part: int, unread: int) -> str:
    """What was cut off, in words."""
    parts = [f"{part} sentences were compared with only part of the evidence"] if part else []
    parts += [f"{unread} sentences were not read within {SECONDS:.0f} s"] if unread else []
    return "; ".join(parts)


def copied(reading: Reading, grounded: Grounded) -> frozenset[int]:
    """The claims (indices) whose words stand together in a passage, with nothing against them."""
    grounded_claims = zip(reading.statements, grounded.claims, strict=True)
    return frozenset(
        at
        for at, (claim, grounding) in enumerate(grounded_claims)
        if grounding is not None
        and not grounding.conflicts
        and grounding.support >= COPIED
        and (grounding.coverage.phrases or 0.0) >= PHRASES
        and _is_copied(reading.tokens, claim, grounding.supported_by, grounded.corpus)
    )


def _is_copied(tokens: Tokens, claim: Statement, passage: int | None, corpus: Corpus) -> bool:
    """Whether most neighbouring words of a claim are so in the passage, and it denies no more."""
    if passage is None:
        return False
    evidence_passage = corpus.passages[passage]
    if sounds_negative(tokens, claim.first, claim.last) > corpus.facts[passage].negative:
        return False
    claim_neighbours = _neighbours(tokens, claim.first, claim.last)
    passage_neighbours = set(
        _neighbours(
            corpus.tokens[evidence_passage.source], evidence_passage.first, evidence_passage.last
        )
    )
    return sum(pair in passage_neighbours for pair in claim_neighbours) >= NEIGHBOURS * len(
        claim_neighbours
    )


def _neighbours(tokens: Tokens, first: int, last: int) -> list[tuple[str, str]]:
    """The pairs of neighbouring words in tokens [first, last), marks left out."""
    words = zip(tokens.lower[first:last], tokens.kinds[first:last], strict=True)
    return list(pairwise(word for word, kind in words if kind != MARK))


def name_of(model: Model) -> str:
    """The name in "watchdog-nli-1@8a4a1177+int8": the same for every copy of a model."""
    return model.model_id.partition("@")[0]


WindowScores = list[tuple[Window, PairScores]]


def _judge(
    to_judge: Sequence[_Sentence], corpus: Corpus, model: Model
) -> tuple[list[WindowScores], int, int]:
    """Every sentence with what was said of its windows, its best one before any second.

    And how many sentences were compared with only part of the evidence, and how many not read.
    """
    judgements: list[WindowScores] = [[] for _ in to_judge]
    further: list[tuple[int, Window]] = []
    part, began = 0, perf_counter()
    for start in range(0, len(to_judge), AT_ONCE):
        if start and perf_counter() - began > SECONDS:
            return judgements, part, len(to_judge) - start
        first: list[tuple[int, Window]] = []
        for at, sentence in enumerate(to_judge[start : start + AT_ONCE], start):
            item = sentence.item
            choice = choose(corpus, item.terms, item.context, WINDOWS)
            part += choice.cut
            first += [(at, window) for window in choice.windows[:1]]
            further += [(at, window) for window in choice.windows[1:]]
        _read(first, to_judge, model, judgements)
    for start in range(0, len(further), AT_ONCE):
        if perf_counter() - began > SECONDS:
            part += len({at for at, _ in further[start:]})
            break
        _read(further[start : start + AT_ONCE], to_judge, model, judgements)
    return judgements, part, 0


def _read(
    pairs: Sequence[tuple[int, Window]],
    to_judge: Sequence[_Sentence],
    model: Model,
    judgements: list[WindowScores],
) -> None:
    """Add to `judgements` what the model says of pairs of a sentence and a window."""
    scores = (
        model.score([(window.text, to_judge[at].text) for at, window in pairs]) if pairs else ()
    )
    for (at, window), score in zip(pairs, scores, strict=True):
        judgements[at].append((window, score))


def _strongest(judgements: Sequence[tuple[Window, PairScores]], name: str) -> Entailed:
    """The strongest support and the strongest contradiction among the windows of a sentence."""
    where, best = max(judgements, key=lambda pair: pair[1].entail)
    against, worst = max(judgements, key=lambda pair: pair[1].contradict)
    contradicted = min(worst.contradict, 1 - best.entail if where is against else 1.0)
    return Entailed(
        round(best.entail, 4),
        round(contradicted, 4),
        round(max(0.0, 1 - best.entail - contradicted), 4),
        where.lead,
        against.lead,
        name,
    )
