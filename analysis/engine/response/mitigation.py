"""What may be shown: contradicted claims out, unverified ones flagged (verifier API, module 3).

The policy says for each verdict whether a claim is kept, flagged, replaced by a warning or
suppressed. A claim that cannot be taken out of its sentence cleanly is replaced instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.claims.extraction import METHOD_ROW
from analysis.engine.policy.rules import PolicyRules
from analysis.engine.response.clause_removal import (
    Parts,
    Unit,
    are_joined,
    cut_units,
    opens_with_pronoun,
    subject_to_restore,
    unit,
)
from analysis.engine.response.edits import Edit, without_overlaps
from analysis.engine.response.layout import Passage, cut_whole, lay_out
from analysis.engine.types import (
    Claim,
    ClaimDecision,
    ClaimStatus,
    LowConfidenceReason,
    Treatment,
)
from text.citations import Mark

REFUSED = "refused_answer"
_DONE = {Treatment.SUPPRESS: "removed", Treatment.REPLACE: "replaced", Treatment.FLAG: "flagged"}
_WHICH = {
    ClaimStatus.CONTRADICTORY: "contradicted_claims",
    ClaimStatus.LOW_CONFIDENCE: "low_confidence_claims",
}
_HIDDEN = (Treatment.REPLACE, Treatment.SUPPRESS)
_REACH = 20
"""How many claims back an antecedent is looked for."""


@dataclass(frozen=True, slots=True)
class Mitigation:
    """What becomes of each claim, in order, and the edits that make it so."""

    treatments: tuple[Treatment, ...]
    edits: tuple[Edit, ...]
    done: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim's units and wishes, gathered once."""

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
) -> Mitigation:
    """Plan what is done to the answer's claims; `marks` are each claim's own citations."""
    pairs = zip(claims, marks, strict=True)
    units = tuple(unit(answer, (c.start, c.end), c.subject, own) for c, own in pairs)
    case = _Case(answer, claims, decisions, units, rules)
    wanted = [treatment_of(decision, rules) for decision in decisions]
    gone, cuts = _cut(case, wanted)
    given = [
        Treatment.REPLACE if found is Treatment.SUPPRESS and at not in gone else found
        for at, found in enumerate(wanted)
    ]
    # A capital letter is all that the two can both ask for at one place.
    edits = without_overlaps(_marked(case, given), cuts)
    return Mitigation(tuple(given), tuple(edits), _told(decisions, given))


def treatment_of(decision: ClaimDecision, rules: PolicyRules) -> Treatment:
    """What the policy asks for; a claim that nothing could confirm is no cause for a flag."""
    if decision.status is ClaimStatus.CONTRADICTORY:
        return rules.mitigation.contradictory
    if decision.status is ClaimStatus.SUPPORTED:
        return Treatment.KEEP
    if decision.reason is LowConfidenceReason.NOT_CHECKABLE:
        return Treatment.KEEP
    wanted = rules.mitigation.low_confidence
    flagless = wanted is Treatment.FLAG and not rules.low_confidence_flag
    return Treatment.KEEP if flagless else wanted


def _told(decisions: Sequence[ClaimDecision], given: Sequence[Treatment]) -> tuple[str, ...]:
    """What was done, each once, in the order of the text."""
    pairs = zip(decisions, given, strict=True)
    done = [f"{_DONE[how]}_{_WHICH[found.status]}" for found, how in pairs if how in _DONE]
    return tuple(dict.fromkeys(done))


def _cut(case: _Case, wanted: Sequence[Treatment]) -> tuple[frozenset[int], list[Edit]]:
    """What can be taken out, and the edits. Whoever must stay changes what else can go."""
    asked, replaced = _places(wanted, Treatment.SUPPRESS), _places(wanted, Treatment.REPLACE)
    if not asked:
        return asked, []
    layout = lay_out(case.answer, [(claim.start, claim.end) for claim in case.claims])
    gone = asked - layout.stray
    while gone:
        edits, stuck = cut_whole(layout, gone)
        stuck |= _orphaning(case, gone)
        for passage in (passage for row in layout.passages for passage in row):
            made = _cut_part(case, passage, gone, replaced | (asked - gone))
            if made is None:
                stuck |= gone.intersection(passage.claims)
            else:
                edits += made
        if gone.isdisjoint(stuck):
            return gone, edits
        gone -= stuck
    return gone, []


def _places(wanted: Sequence[Treatment], which: Treatment) -> frozenset[int]:
    return frozenset(at for at, found in enumerate(wanted) if found is which)


def _cut_part(
    case: _Case, passage: Passage, gone: frozenset[int], replaced: frozenset[int]
) -> list[Edit] | None:
    """The edits inside a sentence that loses some of its claims; None where that cannot be."""
    lost = gone.intersection(passage.claims)
    if not lost or len(lost) == len(passage.claims):
        return []
    first = passage.claims[0]
    parts = Parts(
        answer=case.answer,
        start=passage.start,
        units=[case.units[at] for at in passage.claims],
        gone=frozenset(at - first for at in lost),
        replaced=frozenset(at - first for at in replaced.intersection(passage.claims)),
    )
    return cut_units(parts)


def _orphaning(case: _Case, gone: frozenset[int]) -> frozenset[int]:
    """Claims that name what the next kept one calls "it": without them, "it" is another."""
    found = set[int]()
    for at in gone:
        after = at + 1
        if after >= len(case.claims) or after in gone:
            continue
        claim = case.claims[after]
        if not claim.subject or not opens_with_pronoun(claim.text):
            continue
        before = range(max(0, after - _REACH), after)
        naming = [near for near in before if claim.subject in case.claims[near].text]
        if naming and gone.issuperset(naming):
            found.add(naming[-1])
    return frozenset(found)


def _marked(case: _Case, given: Sequence[Treatment]) -> list[Edit]:
    """Flags and warnings."""
    edits = list[Edit]()
    for at, how in enumerate(given):
        claim, status = case.claims[at], case.decisions[at].status
        contradicted = status is ClaimStatus.CONTRADICTORY
        warning = case.rules.contradiction_warning
        if how is Treatment.FLAG and contradicted:
            edits.append(Edit(claim.start, claim.start, f"{warning} "))
        elif how is Treatment.FLAG:
            edits.append(Edit(claim.end, claim.end, f" {case.rules.low_confidence_flag}"))
        elif how is Treatment.REPLACE:
            said = warning if contradicted else case.rules.low_confidence_flag
            edits.append(_replaced(claim, f"{said} {case.rules.withheld_text}".strip()))
            edits += _subject_again(case, given, at)
    return edits


def _replaced(claim: Claim, words: str) -> Edit:
    """The words in place of the claim; a table row keeps its first cell and its bars."""
    if claim.extraction_method != METHOD_ROW:
        return Edit(claim.start, claim.end, words)
    first, *others = claim.text.split("|")
    return Edit(claim.start + len(first), claim.end, f"| {words}" + " |" * (len(others) - 1))


def _subject_again(case: _Case, given: Sequence[Treatment], at: int) -> list[Edit]:
    """The subject of a clause that shared it with the replaced one before it."""
    after, first, units = at + 1, at, case.units
    if after >= len(given) or given[after] in _HIDDEN:
        return []
    if not are_joined(case.answer, units[at], units[after]):
        return []
    while first and given[first - 1] in _HIDDEN:
        if not are_joined(case.answer, units[first - 1], units[first]):
            break
        first -= 1
    subject = subject_to_restore(case.answer, (units[first].start, units[at].end), units[after])
    return [Edit(units[after].start, units[after].start, f"{subject} ")] if subject else []
