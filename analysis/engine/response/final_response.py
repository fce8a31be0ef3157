"""The final response: the answer after mitigation and citation, with what was changed.

A claim that the sources contradict is answered by their own words. However sure the contradiction
is, the source's own sentence is safe to show. Nothing is reworded: the sentence is quoted with its
citation; a record's fields are put into words. A sentence with a pronoun is quoted with earlier
ones that name its referent, or with its heading; a correction that is not understandable alone is
not shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from analysis.engine.evidence.corpus import terms_of
from analysis.engine.policy import DEFAULT_RULES, Language, PolicyRules
from analysis.engine.response.citations import UNKNOWN, Citing, cite, formatted, without_mark
from analysis.engine.response.edits import (
    Edit,
    Span,
    apply,
    clipped,
    is_inside,
    move_spans,
    united,
    without_overlaps,
)
from analysis.engine.response.mitigation import HIDDEN, REFUSED, Mitigation, mitigate
from analysis.engine.response.partial_answer import (
    DEPENDENT,
    INCONSISTENT,
    keep_supported,
    left_out,
    sentences_of,
)
from analysis.engine.safety.model import ANY_SCOPE, refusal, scope_words
from analysis.engine.signal_types import Measurement
from analysis.engine.types import (
    Action,
    CitationFormatterOutput,
    Claim,
    ClaimStatus,
    EvidenceChunk,
    PartialAnswer,
    Treatment,
)
from analysis.engine.verdict.wording import OF_SOME
from analysis.engine.verdict_types import ClaimDecision, Hold
from lib.text.antecedents import refers_back
from lib.text.tokens import tokenize

CORRECTED = "added_corrections"
MOST = 3
LONGEST = 300
"""Characters of a quotation; a longer passage is no sentence to show an end user."""
_SENTENCE_ENDS = ".!?…。:;"
_CLOSERS = "\"”’')]*_"


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of one language.

    `policy` has the texts that a policy may reword; `partial` takes {scope} and {parts};
    `corrections` takes {quotations}, each between the two `quotes`; `under` takes {heading};
    `left_out` says by reason, after a number, why statements are missing.
    """

    policy: Mapping[str, str]
    any_scope: str
    partial: str
    corrections: str
    under: str
    quotes: str
    left_out: Mapping[str, str]


_ENGLISH = Texts(
    policy={},
    any_scope=ANY_SCOPE,
    partial="This is only the part of the answer that rests on {scope}. Left out: {parts}.",
    corrections="The sources say: {quotations}",
    under="(under {heading})",
    quotes="“”",
    left_out={
        **{outcome.value: words for outcome, words in OF_SOME.items()},
        INCONSISTENT: "that contradict one another",
        DEPENDENT: "that depend on those",
    },
)
_GERMAN = Texts(
    policy={
        "refusal_text": "Das weiß ich nicht, gestützt auf {scope}.",
        "waiting_text": "Ein Mensch prüft diese Antwort. Sie folgt.",
        "contradiction_warning": "[Warnung: Die folgende Aussage widerspricht der Quelle]",
        "low_confidence_flag": "[Nicht bestätigt]",
        "withheld_text": "(Aussage zurückgehalten)",
    },
    any_scope="die vorhandenen Quellen",
    partial="Dies ist nur der durch {scope} gestützte Teil der Antwort. Ausgelassen: {parts}.",
    corrections="In den Quellen steht: {quotations}",
    under="(unter {heading})",
    quotes="„“",
    left_out={
        "contradicted": "von den Quellen widersprochen",
        "conflicting_sources": "in den Quellen uneinheitlich",
        "not_supported": "von den Quellen nicht gestützt",
        "nothing_found": "ohne Fundstelle",
        "not_checked": "nicht geprüft",
        "not_confirmed": "von den Quellen nicht klar gestützt",
        "not_checkable": "nicht prüfbar",
        "inconsistent": "einander widersprechend",
        "dependent": "ohne jene nicht verständlich",
    },
)
_BY_LANGUAGE = {Language.ENGLISH: _ENGLISH, Language.GERMAN: _GERMAN}
_SHIPPED_BEFORE = {"low_confidence_flag": "[Unverified]"}
"""Earlier default texts: stored policies hold them, and are in their language as well."""


def in_language(rules: PolicyRules) -> PolicyRules:
    """Return the rules with texts in their language; texts that the policy rewords stay."""
    changes: dict[str, Any] = {
        name: text
        for name, text in texts_of(rules.language).policy.items()
        if getattr(rules, name) in (getattr(DEFAULT_RULES, name), _SHIPPED_BEFORE.get(name))
    }
    return replace(rules, **changes) if changes else rules


def texts_of(language: Language) -> Texts:
    """Return the sentences of a language."""
    return _BY_LANGUAGE[language]


@dataclass(frozen=True, slots=True)
class Correction:
    """A source's own words, the number of their passage in the citations, and their heading.

    The heading is "" if the words are understandable alone. A record's fields are put into words
    ("hours: monday: closed"), which are no quotation.
    """

    text: str
    number: int
    heading: str = ""
    of_record: bool = False


def corrections(
    measurement: Measurement, decisions: Sequence[ClaimDecision], numbers: Mapping[str, int]
) -> tuple[Correction, ...]:
    """Return at most `MOST` corrections, in the order of claims; passages have `numbers` by ref."""
    by_ref = {chunk.ref: chunk for chunk in measurement.evidence}
    contradicted = dict[str, Claim]()
    for claim, decision in zip(measurement.claims, decisions, strict=True):
        ref = decision.primary_evidence
        if decision.status is ClaimStatus.CONTRADICTORY and ref is not None:
            contradicted.setdefault(ref, claim)
    quotations = (
        _quotation(by_ref[ref], claim, numbers[ref])
        for ref, claim in contradicted.items()
        if ref in by_ref and ref in numbers
    )
    return tuple(quotation for quotation in quotations if quotation)[:MOST]


def line_of(corrections: Sequence[Correction], texts: Texts = _ENGLISH) -> str:
    """Return the line that quotes the corrections."""
    opening, closing = texts.quotes[0], texts.quotes[1]
    quotations = list[str]()
    for item in corrections:
        quotations.append(item.text if item.of_record else f"{opening}{item.text}{closing}")
        if item.heading:
            quotations.append(texts.under.format(heading=f"{opening}{item.heading}{closing}"))
        quotations.append(f"[{item.number}]")
    return texts.corrections.format(quotations=" ".join(quotations))


def _quotation(chunk: EvidenceChunk, claim: Claim, number: int) -> Correction | None:
    """Return the sentence with what it refers to, or None if it cannot be quoted."""
    text = chunk.text.strip()
    if len(text) > LONGEST:
        return None
    if chunk.path:
        return Correction(text, number, of_record=True)
    if not refers_back(text):
        return Correction(text, number)
    # The first one that names the claim's topic, or else the first.
    quotations = _with_lead_in(chunk, claim, number)
    return max(quotations, key=itemgetter(1), default=(None, False))[0]


def _with_lead_in(
    chunk: EvidenceChunk, claim: Claim, number: int
) -> Iterator[tuple[Correction, bool]]:
    """Yield the sentence with more and more preceding ones, and whether they name the topic.

    Only those that begin with a self-contained sentence; the topic is that of the claim.
    """
    topic = _terms(f"{claim.subject} {claim.text}")
    text = chunk.text.strip()
    for before in reversed(chunk.lead_in):
        is_of_claim = not topic.isdisjoint(_terms(before))
        if before.rstrip(_CLOSERS)[-1:] not in _SENTENCE_ENDS:
            if is_of_claim:
                yield Correction(text, number, before), True
            return
        text = f"{before} {text}"
        if len(text) > LONGEST:
            return
        if not refers_back(before):
            yield Correction(text, number), is_of_claim


def _terms(text: str) -> set[str]:
    tokens = tokenize(text)
    return set(terms_of(tokens, 0, len(tokens)))


CITED = "added_citations"
REPAIRED = "removed_citations_to_nothing"
OBSERVED = "observed"


@dataclass(frozen=True, slots=True)
class Final:
    """The releasable text, the code points of each shown claim in it, and the changes."""

    text: str
    spans: dict[str, Span]
    mitigations: tuple[str, ...]
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
    """Return the answer as the policy allows; `partly` permits a part of a wrong one."""
    rules = in_language(rules)
    citing = cite(answer, measurement, decisions)
    output = formatted(answer, measurement.claims, citing)
    plan = mitigate(answer, measurement.claims, decisions, citing.own, rules, citing.data)
    is_withheld = action is Action.BLOCK or plan.unfit or _hides_all(plan, Treatment.SUPPRESS)
    if is_withheld or (partly and Treatment.REPLACE in plan.treatments):
        may_part = partly and not citing.data
        part = _part(answer, measurement, decisions, citing, rules) if may_part else None
        instead = part or Final(_refusal(measurement, rules), {}, (REFUSED,), output)
        if partly:
            instead = _corrected(instead, measurement, decisions, citing, rules)
        # What only warns is refused where nothing of it can be shown, and where no source says
        # what is right.
        if is_withheld or instead.mitigations != (REFUSED,) or _hides_all(plan, *HIDDEN):
            return instead
    # Where it is unknown what the answer's citations number, it gets no others.
    is_known, repairs = citing.numbering != UNKNOWN, citing.visible
    insertions = _insertions(citing, plan) if is_known and rules.mitigation.cite_supported else []
    edits = without_overlaps(united([*_outside(plan.edits, repairs), *citing.thoughts]), repairs)
    insertions = _outside(insertions, repairs)
    edits = without_overlaps(edits, _of_replaced(answer, citing, plan))
    mitigations = (
        *plan.codes,
        *([REPAIRED] if citing.is_repaired else []),
        *([CITED] if insertions else []),
    )
    edits += insertions
    return Final(apply(answer, edits), _spans(measurement, plan, edits), mitigations, output)


def unchanged(answer: str, measurement: Measurement, decisions: Sequence[ClaimDecision]) -> Final:
    """Return the answer as it stands, under a policy that only observes."""
    output = formatted(answer, measurement.claims, cite(answer, measurement, decisions))
    spans = {claim.claim_id: (claim.start, claim.end) for claim in measurement.claims}
    return Final(answer, spans, (OBSERVED,), output)


def hold_of(measurement: Measurement, rules: PolicyRules) -> Hold:
    """Return the terms of a hold, with the texts in the policy's language."""
    terms, rules = rules.hold, in_language(rules)
    return Hold(
        hours=terms.hours,
        on_expiry=terms.on_expiry,
        four_eyes=terms.four_eyes,
        waiting_text=rules.waiting_text,
        refusal_text=_refusal(measurement, rules),
    )


def _hides_all(plan: Mitigation, *hidden: Treatment) -> bool:
    return bool(plan.treatments) and all(how in hidden for how in plan.treatments)


def _outside(edits: Sequence[Edit], repairs: Sequence[Edit]) -> list[Edit]:
    """Return the edits without those inside a removed line, such as of a nonexistent source."""
    return [edit for edit in edits if not is_inside(edit, repairs)]


def _refusal(measurement: Measurement, rules: PolicyRules) -> str:
    anything = texts_of(rules.language).any_scope
    return refusal(rules.refusal_text, rules.refusal_scope, measurement.scope, anything)


def _corrected(
    withheld: Final,
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    citing: Citing,
    rules: PolicyRules,
) -> Final:
    """Add what the sources say where they contradict the answer; drop "I don't know"."""
    partial_text = withheld.text if withheld.partial else ""
    numbers = citing.numbered.number
    new_corrections = [
        correction
        for correction in corrections(measurement, decisions, numbers)
        if correction.text not in partial_text
    ]
    if not new_corrections:
        return withheld
    line = line_of(new_corrections, texts_of(rules.language))
    if withheld.partial:
        line = (
            f"{partial_text.removesuffix(withheld.partial.note)}{line}\n\n{withheld.partial.note}"
        )
    return replace(withheld, text=line, mitigations=(*withheld.mitigations, CORRECTED))


def _part(
    answer: str,
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    citing: Citing,
    rules: PolicyRules,
) -> Final | None:
    """Return the supported sentences with their citations, and what is missing."""
    partial_plan = keep_supported(answer, measurement, decisions, citing.own)
    if partial_plan is None:
        return None
    plan = partial_plan.plan
    insertions = _insertions(citing, plan)
    edits = united([*plan.edits, *citing.thoughts])
    edits = without_overlaps(edits, [*citing.repairs, *citing.plain])
    edits += insertions
    text = apply(answer, edits).rstrip()
    texts = texts_of(rules.language)
    omissions = left_out(partial_plan.lost, texts.left_out)
    counts = ", ".join(f"{entry.statements} {entry.text}" for entry in omissions)
    scope = scope_words(rules.refusal_scope, measurement.scope, texts.any_scope)
    note = texts.partial.format(scope=scope, parts=counts)
    part = PartialAnswer(
        sentences_of(partial_plan, text, edits, decisions, citing.cited), omissions, note
    )
    mitigations = (*plan.codes, *([CITED] if insertions else []))
    spans = _spans(measurement, plan, edits)
    output = formatted(answer, measurement.claims, citing)
    return Final(f"{text}\n\n{note}", spans, mitigations, output, part)


def _insertions(citing: Citing, plan: Mitigation) -> list[Edit]:
    return [edit for at, edit in citing.insertions.items() if plan.treatments[at] not in HIDDEN]


def _of_replaced(answer: str, citing: Citing, plan: Mitigation) -> list[Edit]:
    """Return edits that remove the citations of replaced claims."""
    pairs = zip(plan.treatments, citing.own, strict=True)
    marks_removed = (mark for how, own in pairs if how is Treatment.REPLACE for mark in own)
    return clipped(without_mark(answer, mark) for mark in marks_removed)


def _spans(measurement: Measurement, plan: Mitigation, edits: Sequence[Edit]) -> dict[str, Span]:
    pairs = zip(measurement.claims, plan.treatments, strict=True)
    claims_shown = [claim for claim, how in pairs if how not in HIDDEN]
    places = move_spans([(claim.start, claim.end) for claim in claims_shown], edits)
    return {claim.claim_id: span for claim, span in zip(claims_shown, places, strict=True)}
