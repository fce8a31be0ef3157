"""Partial answers: of a blocked answer the statements that the sources support, and nothing else.

What cannot be taken out of a sentence cleanly takes its sentence along; what hangs on a lost
sentence ("It …") goes with it. Where nothing stays, there is no partial answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.engine.payloads import LeftOut, PartialSentence
from analysis.engine.response.clause_removal import Parts, Unit, cut_units, opens_with_pronoun, unit
from analysis.engine.response.edits import Edit, Span, moved
from analysis.engine.response.layout import Layout, cut_whole, lay_out
from analysis.engine.response.layout import Passage as Sentence
from analysis.engine.response.mitigation import Mitigation
from analysis.engine.types import ClaimDecision, ClaimStatus, Measurement, Treatment
from analysis.engine.verdict.wording import OF_SOME, Outcome, outcome_of
from text.citations import Mark

PARTIAL = "partial_answer"
INCONSISTENT = "inconsistent"
DEPENDENT = "dependent"
_SELF = {INCONSISTENT: "at odds with one another", DEPENDENT: "that cannot stand without those"}
NOTE = "This is only the part of the answer that rests on {scope}. Left out: {parts}."
LEFT_OUT = (*(one.value for one in Outcome if one is not Outcome.SUPPORTED), *_SELF)
"""The reasons why a statement is left out; the gravest first."""
_REACH = 20
_CONNECTIVE = re.compile(
    r"(?:However|Therefore|Thus|Hence|Moreover|Furthermore|Also|Instead|Consequently|Nevertheless|"
    r"Nonetheless|Additionally|Similarly|Conversely|Otherwise|Then|Besides|For example|"
    r"For instance|In addition|In contrast|As a result|By contrast|On the other hand), (\w)"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What stays: the edits as a plan, the sentences, and for each lost claim why, in its order."""

    plan: Mitigation
    sentences: tuple[Sentence, ...]
    lost: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer's parts, gathered once."""

    text: str
    measurement: Measurement
    layout: Layout
    units: tuple[Unit, ...]


def keep_supported(
    answer: str,
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    marks: Sequence[Sequence[Mark]],
) -> Kept | None:
    """The plan that leaves supported statements alone; None where none can be left, or all are."""
    claims = measurement.claims
    spans = [(claim.start, claim.end) for claim in claims]
    pairs = zip(claims, marks, strict=True)
    units = tuple(unit(answer, (c.start, c.end), c.subject, own) for c, own in pairs)
    whole = _Answer(answer, measurement, lay_out(answer, spans), units)
    lost = _unfit(measurement, decisions)
    if lost.keys() & whole.layout.stray:
        return None
    edits = _cut(whole, lost)
    # Where nothing is lost, the answer was not blocked for a claim of it: no part of it is safer.
    if edits is None or len(lost) in (0, len(claims)):
        return None
    given = tuple(Treatment.SUPPRESS if at in lost else Treatment.KEEP for at in range(len(claims)))
    rows = (one for row in whole.layout.passages for one in row)
    kept = tuple(one for one in rows if any(at not in lost for at in one.claims))
    plan = Mitigation(given, (*edits, *_openings(whole, lost)), (PARTIAL,))
    return Kept(plan, kept, lost)


def sentences_of(
    kept: Kept,
    text: str,
    edits: Sequence[Edit],
    decisions: Sequence[ClaimDecision],
    cited: Sequence[tuple[int, ...]],
) -> tuple[PartialSentence, ...]:
    """The sentences as `text` shows them; each is as sure as the least sure claim in it."""
    spans = moved([(one.start, one.end) for one in kept.sentences], edits)
    return tuple(
        _sentence(text, span, [at for at in one.claims if at not in kept.lost], decisions, cited)
        for one, span in zip(kept.sentences, spans, strict=True)
    )


def left_out(lost: dict[int, str], words: Mapping[str, str] | None = None) -> tuple[LeftOut, ...]:
    """How many statements were left out and why; the gravest reason first. English by default."""
    whys = list(lost.values())
    named = words or {**{one.value: OF_SOME[one] for one in Outcome}, **_SELF}
    return tuple(LeftOut(why, whys.count(why), told) for why, told in named.items() if why in whys)


def note_of(scope: str, left: Sequence[LeftOut], template: str = NOTE) -> str:
    """The line that says what was left out and why."""
    told = ", ".join(f"{one.statements} {one.text}" for one in left)
    return template.format(scope=scope, parts=told)


def _sentence(
    text: str,
    span: Span,
    places: Sequence[int],
    decisions: Sequence[ClaimDecision],
    cited: Sequence[tuple[int, ...]],
) -> PartialSentence:
    sure = [decisions[at].confidence.overall_confidence for at in places]
    known = [one for one in sure if one is not None]
    return PartialSentence(
        text=text[slice(*span)],
        final_char_span=span,
        claim_ids=tuple(decisions[at].claim_id for at in places),
        confidence=min(known) if len(known) == len(sure) else None,
        citations=tuple(dict.fromkeys(number for at in places for number in cited[at])),
    )


def _unfit(measurement: Measurement, decisions: Sequence[ClaimDecision]) -> dict[int, str]:
    """The claims that may not be shown as supported, and why."""
    found = dict[int, str]()
    for at, (signal, decided) in enumerate(zip(measurement.signals, decisions, strict=True)):
        if decided.status is not ClaimStatus.SUPPORTED:
            found[at] = outcome_of(decided).value
        elif signal.contradictions:
            found[at] = INCONSISTENT
    return found


def _cut(whole: _Answer, lost: dict[int, str]) -> list[Edit] | None:
    """The edits; `lost` grows by what cannot stay. None where the layout does not allow it."""
    while True:
        gone = frozenset(lost)
        edits, stuck = cut_whole(whole.layout, gone, bare=True)
        if stuck:
            return None
        further = set(_orphans(whole, gone))
        for sentence in (one for row in whole.layout.passages for one in row):
            made = _cut_sentence(whole, sentence, gone)
            if made is None:
                further |= set(sentence.claims) - gone
            else:
                edits += made
        if not further - gone:
            return edits
        lost.update(dict.fromkeys(further - gone, DEPENDENT))


def _cut_sentence(whole: _Answer, sentence: Sentence, gone: frozenset[int]) -> list[Edit] | None:
    inside = gone.intersection(sentence.claims)
    if not inside or len(inside) == len(sentence.claims):
        return []
    first = sentence.claims[0]
    units = [whole.units[at] for at in sentence.claims]
    places = frozenset(at - first for at in inside)
    return cut_units(Parts(whole.text, sentence.start, units, places, frozenset()))


def _orphans(whole: _Answer, gone: frozenset[int]) -> list[int]:
    """Claims that stay and say "it" of something that only lost claims name."""
    claims, found = whole.measurement.claims, list[int]()
    for at in range(1, len(claims)):
        if at in gone or at - 1 not in gone or not opens_with_pronoun(claims[at].text):
            continue
        subject = claims[at].subject
        near = range(max(0, at - _REACH), at)
        if not subject or not any(subject in claims[n].text for n in near if n not in gone):
            found.append(at)
    return found


def _openings(whole: _Answer, lost: dict[int, str]) -> list[Edit]:
    """ "However, the mill …" behind a lost sentence becomes "The mill …"."""
    found = list[Edit]()
    for row in whole.layout.passages:
        for before, after in pairwise(row):
            opening = _CONNECTIVE.match(whole.text, after.start)
            stays = bool(after.claims) and after.claims[0] not in lost
            if opening and stays and all(at in lost for at in before.claims):
                found.append(Edit(after.start, opening.end(), opening[1].upper()))
    return found
