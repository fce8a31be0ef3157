"""Decides what may be shown: contradicted claims out, unverified ones flagged (verifier API, 3).

The policy says for each verdict whether a claim is kept, flagged, replaced by a warning or
suppressed. A claim that cannot be cleanly removed from its sentence is replaced instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.claims.reading import METHOD_ROW
from analysis.engine.policy import PolicyRules
from analysis.engine.response.edits import (
    Edit,
    Span,
    Unit,
    are_joined,
    cut_sentence,
    cut_whole,
    lay_out,
    opens_with_pronoun,
    stands_in,
    subject_to_restore,
    units_of,
    without_overlaps,
)
from analysis.engine.types import Claim, ClaimStatus, LowConfidenceReason, Treatment
from analysis.engine.verdict_types import ClaimDecision
from lib.text.citations import Mark

REFUSED = "refused_answer"
_DONE = {Treatment.SUPPRESS: "removed", Treatment.REPLACE: "replaced", Treatment.FLAG: "flagged"}
_WHICH = {
    ClaimStatus.CONTRADICTORY: "contradicted_claims",
    ClaimStatus.LOW_CONFIDENCE: "low_confidence_claims",
}
HIDDEN = (Treatment.REPLACE, Treatment.SUPPRESS)
_REACH = 20
"""The number of earlier claims searched for an antecedent."""


@dataclass(frozen=True, slots=True)
class Mitigation:
    """The treatment of each claim, in order, and the edits for it.

    `unfit`: JSON data contains something that may not be shown unchanged, and data is shown
    unchanged or not at all.
    """

    treatments: tuple[Treatment, ...]
    edits: tuple[Edit, ...]
    codes: tuple[str, ...]
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """Everything needed to edit an answer's claims."""

    answer: str
    claims: Sequence[Claim]
    decisions: Sequence[ClaimDecision]
    units: tuple[Unit, ...]
    rules: PolicyRules


def mitigate(
    answer: str,
    claims: Sequence[Claim],
    decisions: Sequence[ClaimDecision],
    marks: Sequence[Sequence[Mark]],
    rules: PolicyRules,
    data: Sequence[Span] = (),
) -> Mitigation:
    """Plan what is done to the answer's claims; `marks` are each claim's own citations.

    In `data` nothing is changed: claims to be flagged as unverified are kept, and any other that
    may not stay unchanged makes the whole unfit to be shown.
    """
    case = _Case(answer, claims, decisions, units_of(answer, claims, marks), rules)
    treatments, unfit = list[Treatment](), False
    for claim, decision in zip(claims, decisions, strict=True):
        how = treatment_of(decision, rules)
        if stands_in((claim.start, claim.end), data):
            is_flag = how is Treatment.FLAG and decision.status is ClaimStatus.LOW_CONFIDENCE
            how = Treatment.KEEP if is_flag else how
            unfit |= how is not Treatment.KEEP
        treatments.append(how)
    removed, cuts = _cut(case, treatments)
    final_treatments = [
        Treatment.REPLACE if treatment is Treatment.SUPPRESS and at not in removed else treatment
        for at, treatment in enumerate(treatments)
    ]
    # The two kinds of edits can meet at one place only to capitalise a letter.
    edits = without_overlaps(_mark_claims(case, final_treatments), cuts)
    codes = (
        f"{_DONE[how]}_{_WHICH[decision.status]}"
        for decision, how in zip(decisions, final_treatments, strict=True)
        if how in _DONE
    )
    return Mitigation(tuple(final_treatments), tuple(edits), tuple(dict.fromkeys(codes)), unfit)


def treatment_of(decision: ClaimDecision, rules: PolicyRules) -> Treatment:
    """Return the policy's treatment; a claim that is not surely unsupported is kept."""
    if decision.status is ClaimStatus.CONTRADICTORY:
        return rules.mitigation.contradictory
    if decision.status is ClaimStatus.SUPPORTED:
        return Treatment.KEEP
    if decision.reason in (LowConfidenceReason.NOT_CHECKABLE, LowConfidenceReason.NOT_CONFIRMED):
        return Treatment.KEEP
    treatment = rules.mitigation.low_confidence
    flagless = treatment is Treatment.FLAG and not rules.low_confidence_flag
    return Treatment.KEEP if flagless else treatment


def _cut(case: _Case, treatments: Sequence[Treatment]) -> tuple[frozenset[int], list[Edit]]:
    """Return the removable claims and their edits; repeats, as a kept claim may pin others."""
    to_suppress = _places(treatments, Treatment.SUPPRESS)
    replaced = _places(treatments, Treatment.REPLACE)
    if not to_suppress:
        return to_suppress, []
    layout = lay_out(case.answer, [(claim.start, claim.end) for claim in case.claims])
    removed = to_suppress - layout.stray
    while removed:
        edits, stuck = cut_whole(layout, removed)
        stuck |= _orphaning(case, removed)
        others = replaced | (to_suppress - removed)
        for sentence in layout.sentences():
            sentence_edits = cut_sentence(case.answer, case.units, sentence, removed, others)
            if sentence_edits is None:
                stuck |= removed.intersection(sentence.claims)
            else:
                edits += sentence_edits
        if removed.isdisjoint(stuck):
            return removed, edits
        removed -= stuck
    return removed, []


def _places(treatments: Sequence[Treatment], which: Treatment) -> frozenset[int]:
    return frozenset(at for at, treatment in enumerate(treatments) if treatment is which)


def antecedents_of(claims: Sequence[Claim], at: int) -> list[int]:
    """Return the places of the claims shortly before one that name its subject."""
    before = range(max(0, at - _REACH), at)
    return [near for near in before if claims[at].subject in claims[near].text]


def _orphaning(case: _Case, removed: frozenset[int]) -> frozenset[int]:
    """Return claims that hold the antecedent of a pronoun in the next kept claim."""
    orphans = set[int]()
    for at in removed:
        after = at + 1
        if after >= len(case.claims) or after in removed:
            continue
        claim = case.claims[after]
        if not claim.subject or not opens_with_pronoun(claim.text):
            continue
        antecedents = antecedents_of(case.claims, after)
        if antecedents and removed.issuperset(antecedents):
            orphans.add(antecedents[-1])
    return frozenset(orphans)


def _mark_claims(case: _Case, treatments: Sequence[Treatment]) -> list[Edit]:
    """Return edits that insert a flag or warning beside claims, by their treatments."""
    edits = list[Edit]()
    for at, how in enumerate(treatments):
        claim, status = case.claims[at], case.decisions[at].status
        contradicted = status is ClaimStatus.CONTRADICTORY
        warning = case.rules.contradiction_warning
        if how is Treatment.FLAG and contradicted:
            edits.append(Edit(claim.start, claim.start, f"{warning} "))
        elif how is Treatment.FLAG:
            edits.append(Edit(claim.end, claim.end, f" {case.rules.low_confidence_flag}"))
        elif how is Treatment.REPLACE:
            mark = warning if contradicted else case.rules.low_confidence_flag
            edits.append(_replacement(claim, f"{mark} {case.rules.withheld_text}".strip()))
            edits += _subject_again(case, treatments, at)
    return edits


def _replacement(claim: Claim, words: str) -> Edit:
    """Return the words replacing the claim; a table row keeps its first cell and its bars."""
    if claim.extraction_method != METHOD_ROW:
        return Edit(claim.start, claim.end, words)
    first, *others = claim.text.split("|")
    return Edit(claim.start + len(first), claim.end, f"| {words}" + " |" * (len(others) - 1))


def _subject_again(case: _Case, treatments: Sequence[Treatment], at: int) -> list[Edit]:
    """Return the edit that repeats the subject of a clause that shared it with a replaced one."""
    after, first, units = at + 1, at, case.units
    if after >= len(treatments) or treatments[after] in HIDDEN:
        return []
    if not are_joined(case.answer, units[at], units[after]):
        return []
    while first and treatments[first - 1] in HIDDEN:
        if not are_joined(case.answer, units[first - 1], units[first]):
            break
        first -= 1
    subject = subject_to_restore(case.answer, (units[first].start, units[at].end), units[after])
    return [Edit(units[after].start, units[after].start, f"{subject} ")] if subject else []
