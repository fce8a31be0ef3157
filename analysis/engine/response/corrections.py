"""Corrections: a source's own words that contradict a claim of the answer.

However sure the contradiction is, the source's own sentence is safe to show. Nothing is reworded:
the sentence is quoted with its citation; a record's fields are put into words. A sentence with a
pronoun is quoted with earlier ones that name its referent, or with its heading; a correction that
is not understandable alone is not shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.engine.evidence.corpus import terms_of
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Claim, ClaimStatus, EvidenceChunk
from analysis.engine.verdict_types import ClaimDecision
from lib.text.antecedents import refers_back
from lib.text.tokens import tokenize

CORRECTED = "added_corrections"
TEMPLATE = "The sources say: {quotations}"
UNDER = "(under {heading})"
MOST = 3
LONGEST = 300
"""Characters of a quotation; a longer passage is no sentence to show an end user."""
_SENTENCE_ENDS = ".!?…。:;"
_CLOSERS = "\"”’')]*_"


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
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    numbers: Mapping[str, int],
) -> tuple[Correction, ...]:
    """Return at most `MOST`, in the order of claims. `numbers` are those of passages, by ref."""
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


def line_of(
    corrections: Sequence[Correction],
    template: str = TEMPLATE,
    quotes: str = "“”",
    under: str = UNDER,
) -> str:
    """Return the line that quotes them."""
    texts = (_quoted(item, quotes, under) for item in corrections)
    return template.format(quotations=" ".join(texts))


def _quoted(item: Correction, quotes: str, under: str) -> str:
    if item.of_record:
        return f"{item.text} [{item.number}]"
    opening, closing = quotes[0], quotes[1]
    heading = under.format(heading=f"{opening}{item.heading}{closing}") if item.heading else ""
    parts = (f"{opening}{item.text}{closing}", heading, f"[{item.number}]")
    return " ".join(part for part in parts if part)


def _quotation(chunk: EvidenceChunk, claim: Claim, number: int) -> Correction | None:
    """Return the sentence with what it refers to, or None if it cannot be quoted."""
    text = chunk.text.strip()
    if len(text) > LONGEST:
        return None
    if chunk.path:
        return Correction(text, number, of_record=True)
    if not refers_back(text):
        return Correction(text, number)
    best = None
    for quotation, is_of_claim in _with_lead_in(chunk, claim, number):
        best = best if best and not is_of_claim else quotation
        if is_of_claim:
            break
    return best


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
        if _is_heading(before):
            if is_of_claim:
                yield Correction(text, number, before), True
            return
        text = f"{before} {text}"
        if len(text) > LONGEST:
            return
        if not refers_back(before):
            yield Correction(text, number), is_of_claim


def _is_heading(text: str) -> bool:
    return text.rstrip(_CLOSERS)[-1:] not in _SENTENCE_ENDS


def _terms(text: str) -> set[str]:
    tokens = tokenize(text)
    return set(terms_of(tokens, 0, len(tokens)))
