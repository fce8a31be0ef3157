"""The final response: the answer after mitigation and citation, and what was done to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.payloads import CitationFormatterOutput, LeftOut, PartialAnswer
from analysis.engine.policy.rules import PolicyRules
from analysis.engine.response.citations import UNKNOWN, Citing, cite, formatted, without_mark
from analysis.engine.response.edits import Edit, Span, apply, clipped, moved, without_overlaps
from analysis.engine.response.mitigation import REFUSED, Mitigation, mitigate
from analysis.engine.response.partial_answer import keep_supported, left_out, note_of, sentences_of
from analysis.engine.response.texts import in_language, texts_of
from analysis.engine.safety.refusal import ANY_SCOPE, refusal, scope_words
from analysis.engine.types import Action, ClaimDecision, Measurement, Treatment

CITED = "added_citations"
REPAIRED = "removed_citations_to_nothing"
_SHOWN = (Treatment.KEEP, Treatment.FLAG)


@dataclass(frozen=True, slots=True)
class Final:
    """What may be shown, the code points of each shown claim in it, and what was done."""

    text: str
    spans: dict[str, Span]
    done: tuple[str, ...]
    citations: CitationFormatterOutput
    partial: PartialAnswer | None = None


def finalise(
    answer: str,
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    action: Action,
    rules: PolicyRules,
    *,
    partly: bool = False,
) -> Final:
    """The answer as it may be shown under the policy; `partly` allows a part of a blocked one."""
    rules = in_language(rules)
    citing = cite(answer, measurement, decisions)
    output = formatted(answer, measurement.claims, citing)
    plan = mitigate(answer, measurement.claims, decisions, citing.own, rules)
    suppressed = all(how is Treatment.SUPPRESS for how in plan.treatments)
    if action is Action.BLOCK or (plan.treatments and suppressed):
        part = _part(answer, measurement, decisions, citing, rules) if partly else None
        texts = texts_of(rules.language)
        anything = texts.any_scope if texts else ANY_SCOPE
        told = refusal(rules.refusal_text, rules.refusal_scope, measurement.scope, anything)
        return part or Final(told, {}, (REFUSED,), output)
    # Where it is unknown what the answer's citations number, it keeps them and gets no others.
    known = citing.numbering != UNKNOWN
    repairs = citing.repairs if known else ()
    insertions = _insertions(citing, plan) if known and rules.mitigation.cite_supported else []
    edits = without_overlaps(_outside(plan.edits, repairs), repairs)
    insertions = _outside(insertions, repairs)
    edits = without_overlaps(edits, _of_replaced(answer, citing, plan))
    done = (*plan.done, *([REPAIRED] if repairs else []), *([CITED] if insertions else []))
    edits += insertions
    return Final(apply(answer, edits), _spans(measurement, plan, edits), done, output)


def _outside(edits: Sequence[Edit], repairs: Sequence[Edit]) -> list[Edit]:
    """The edits but for those in a stretch that goes: the line of a source that does not exist."""
    return [
        edit
        for edit in edits
        if not any(gone.start <= edit.start and edit.end <= gone.end for gone in repairs)
    ]


def _part(
    answer: str,
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    citing: Citing,
    rules: PolicyRules,
) -> Final | None:
    """The supported sentences with the citations of the formatted text, and what is missing."""
    kept = keep_supported(answer, measurement, decisions, citing.own)
    if kept is None:
        return None
    insertions = _insertions(citing, kept.plan)
    edits = without_overlaps(kept.plan.edits, [*citing.repairs, *citing.plain])
    edits += insertions
    text = apply(answer, edits).rstrip()
    left, note = _told(kept.lost, measurement, rules)
    part = PartialAnswer(sentences_of(kept, text, edits, decisions, citing.cited), left, note)
    done = (*kept.plan.done, *([CITED] if insertions else []))
    spans = _spans(measurement, kept.plan, edits)
    output = formatted(answer, measurement.claims, citing)
    return Final(f"{text}\n\n{note}", spans, done, output, part)


def _told(
    lost: dict[int, str], measurement: Measurement, rules: PolicyRules
) -> tuple[tuple[LeftOut, ...], str]:
    """What was left out, and the line that says so, in the policy's language."""
    texts = texts_of(rules.language)
    if texts is None:
        left = left_out(lost)
        return left, note_of(scope_words(rules.refusal_scope, measurement.scope), left)
    left = left_out(lost, texts.left_out)
    scope = scope_words(rules.refusal_scope, measurement.scope, texts.any_scope)
    return left, note_of(scope, left, texts.partial)


def _insertions(citing: Citing, plan: Mitigation) -> list[Edit]:
    return [edit for at, edit in citing.insertions.items() if plan.treatments[at] in _SHOWN]


def _of_replaced(answer: str, citing: Citing, plan: Mitigation) -> list[Edit]:
    """A claim that is replaced takes its citations along."""
    pairs = zip(plan.treatments, citing.own, strict=True)
    gone = (mark for how, own in pairs if how is Treatment.REPLACE for mark in own)
    return clipped(without_mark(answer, mark) for mark in gone)


def _spans(measurement: Measurement, plan: Mitigation, edits: Sequence[Edit]) -> dict[str, Span]:
    pairs = zip(measurement.claims, plan.treatments, strict=True)
    shown = [claim for claim, how in pairs if how in _SHOWN]
    places = moved([(claim.start, claim.end) for claim in shown], edits)
    return {claim.claim_id: span for claim, span in zip(shown, places, strict=True)}
