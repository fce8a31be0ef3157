"""Partial answers: the statements of a blocked answer that the sources support.

A claim that cannot be cleanly removed takes its sentence along; what depends on a removed sentence
("It …") goes with it. If nothing stays, there is no partial answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.engine.response.edits import (
    AnswerSentence,
    Edit,
    Layout,
    Unit,
    cut_sentence,
    cut_whole,
    lay_out,
    move_spans,
    opens_with_pronoun,
    units_of,
)
from analysis.engine.response.mitigation import Mitigation, antecedents_of
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Claim, ClaimStatus, LeftOut, PartialSentence, Treatment
from analysis.engine.verdict.wording import ClaimOutcome, outcome_of
from analysis.engine.verdict_types import ClaimDecision
from lib.text.citations import Mark

PARTIAL = "partial_answer"
INCONSISTENT = "inconsistent"
DEPENDENT = "dependent"
LEFT_OUT = (
    *(outcome.value for outcome in ClaimOutcome if outcome is not ClaimOutcome.SUPPORTED),
    INCONSISTENT,
    DEPENDENT,
)
"""The reasons why a statement is left out; the most severe first."""
_CONNECTIVE = re.compile(
    r"(?:However|Therefore|Thus|Hence|Moreover|Furthermore|Also|Instead|Consequently|Nevertheless|"
    r"Nonetheless|Additionally|Similarly|Conversely|Otherwise|Then|Besides|For example|"
    r"For instance|In addition|In contrast|As a result|By contrast|On the other hand), (\w)"
)


@dataclass(frozen=True, slots=True)
class PartialPlan:
    """The kept sentences, the edits as a plan, and why each other claim is left out."""

    plan: Mitigation
    sentences: tuple[AnswerSentence, ...]
    lost: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Answer:
    """The parts of an answer that its sentences share."""

    text: str
    claims: Sequence[Claim]
    layout: Layout
    units: tuple[Unit, ...]


def keep_supported(
    answer: str,
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    marks: Sequence[Sequence[Mark]],
) -> PartialPlan | None:
    """Return the plan that leaves only supported statements; None if there are none, or all are."""
    claims = measurement.claims
    spans = [(claim.start, claim.end) for claim in claims]
    units = units_of(answer, claims, marks)
    parts = _Answer(answer, claims, lay_out(answer, spans), units)
    unfit = _unfit(measurement, decisions)
    if unfit.keys() & parts.layout.stray:
        return None
    edits = _cut(parts, unfit)
    # If nothing or every claim would be removed, no part is safer than the whole answer.
    if edits is None or len(unfit) in (0, len(claims)):
        return None
    treatments = tuple(
        Treatment.SUPPRESS if at in unfit else Treatment.KEEP for at in range(len(claims))
    )
    sentences = tuple(
        sentence
        for sentence in parts.layout.sentences()
        if any(at not in unfit for at in sentence.claims)
    )
    plan = Mitigation(treatments, (*edits, *_openings(parts, unfit)), (PARTIAL,))
    return PartialPlan(plan, sentences, unfit)


def sentences_of(
    partial: PartialPlan,
    text: str,
    edits: Sequence[Edit],
    decisions: Sequence[ClaimDecision],
    citations: Sequence[tuple[int, ...]],
) -> tuple[PartialSentence, ...]:
    """Return the sentences as in `text`, each with the confidence of its least sure claim."""
    spans = move_spans([(sentence.start, sentence.end) for sentence in partial.sentences], edits)
    result = list[PartialSentence]()
    for sentence, span in zip(partial.sentences, spans, strict=True):
        places = [at for at in sentence.claims if at not in partial.lost]
        scores = [decisions[at].confidence.overall_confidence for at in places]
        known_scores = [score for score in scores if score is not None]
        result.append(
            PartialSentence(
                text=text[slice(*span)],
                final_char_span=span,
                claim_ids=tuple(decisions[at].claim_id for at in places),
                confidence=min(known_scores) if len(known_scores) == len(scores) else None,
                citations=tuple(dict.fromkeys(number for at in places for number in citations[at])),
            )
        )
    return tuple(result)


def left_out(lost_claims: dict[int, str], words: Mapping[str, str]) -> tuple[LeftOut, ...]:
    """Return the number of statements left out by reason, the most severe first."""
    whys = list(lost_claims.values())
    return tuple(LeftOut(why, whys.count(why), text) for why, text in words.items() if why in whys)


def _unfit(measurement: Measurement, decisions: Sequence[ClaimDecision]) -> dict[int, str]:
    """Return the claims that may not be shown as supported, and why."""
    unfit_claims = dict[int, str]()
    for at, (signal, decision) in enumerate(zip(measurement.signals, decisions, strict=True)):
        if decision.status is not ClaimStatus.SUPPORTED:
            unfit_claims[at] = outcome_of(decision).value
        elif signal.contradictions:
            unfit_claims[at] = INCONSISTENT
    return unfit_claims


def _cut(parts: _Answer, lost_claims: dict[int, str]) -> list[Edit] | None:
    """Return the edits, or None if the layout forbids them; `lost_claims` grows as needed."""
    while True:
        removed = frozenset(lost_claims)
        edits, stuck = cut_whole(parts.layout, removed, bare=True)
        if stuck:
            return None
        further = set(_orphans(parts, removed))
        for sentence in parts.layout.sentences():
            sentence_edits = cut_sentence(parts.text, parts.units, sentence, removed)
            if sentence_edits is None:
                further |= set(sentence.claims) - removed
            else:
                edits += sentence_edits
        if not further - removed:
            return edits
        lost_claims.update(dict.fromkeys(further - removed, DEPENDENT))


def _orphans(parts: _Answer, removed: frozenset[int]) -> list[int]:
    """Return remaining claims whose pronoun refers to something only removed claims name."""
    claims, orphans = parts.claims, list[int]()
    for at in range(1, len(claims)):
        if at in removed or at - 1 not in removed or not opens_with_pronoun(claims[at].text):
            continue
        if not claims[at].subject or removed.issuperset(antecedents_of(claims, at)):
            orphans.append(at)
    return orphans


def _openings(parts: _Answer, lost_claims: dict[int, str]) -> list[Edit]:
    """Return edits that turn "However, the mill …" after a removed sentence into "The mill …"."""
    edits = list[Edit]()
    for row in parts.layout.passages:
        for before, after in pairwise(row):
            opening = _CONNECTIVE.match(parts.text, after.start)
            stays = bool(after.claims) and after.claims[0] not in lost_claims
            if opening and stays and all(at in lost_claims for at in before.claims):
                edits.append(Edit(after.start, opening.end(), opening[1].upper()))
    return edits
