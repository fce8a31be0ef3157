"""Corrections: what a source itself says, where it contradicts a claim of the answer.

However sure the contradiction is, the source's own sentence is right to show. Nothing is
reworded: the sentence is quoted as it stands, with its citation. One that says "it" of something
is quoted with the sentence before it, or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.engine.response.clause_removal import opens_with_pronoun
from analysis.engine.signal_types import Measurement
from analysis.engine.types import ClaimStatus, EvidenceChunk
from analysis.engine.verdict_types import ClaimDecision

CORRECTED = "added_corrections"
TEMPLATE = "The sources say: {quotations}"
MOST = 3
LONGEST = 300
"""Characters of a quotation; a longer passage is no sentence to show an end user."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A source's own words, and the number of the passage in the citations."""

    text: str
    number: int


def corrections(
    measurement: Measurement,
    decisions: Sequence[ClaimDecision],
    numbers: Mapping[str, int],
) -> tuple[Correction, ...]:
    """At most `MOST`, in the order of the claims. `numbers` are those of passages, by their ref."""
    by_ref = {chunk.ref: chunk for chunk in measurement.evidence}
    refs = dict.fromkeys(
        decision.primary_evidence
        for decision in decisions
        if decision.status is ClaimStatus.CONTRADICTORY
    )
    chunks = [by_ref[ref] for ref in refs if ref in by_ref and ref in numbers]
    quotations = ((chunk, _quotation(chunk, by_ref)) for chunk in chunks)
    corrections = [Correction(text, numbers[chunk.ref]) for chunk, text in quotations if text]
    return tuple(corrections[:MOST])


def line_of(corrections: Sequence[Correction], template: str = TEMPLATE, quotes: str = "“”") -> str:
    """The line that quotes them."""
    opening, closing = quotes[0], quotes[1]
    texts = (f"{opening}{item.text}{closing} [{item.number}]" for item in corrections)
    return template.format(quotations=" ".join(texts))


def _quotation(chunk: EvidenceChunk, by_ref: Mapping[str, EvidenceChunk]) -> str:
    """The sentence, with the one before it where it needs that; "" where it cannot be quoted."""
    text = chunk.text.strip()
    if chunk.path or len(text) > LONGEST:
        return ""
    if not opens_with_pronoun(text):
        return text
    before = by_ref.get(f"{chunk.doc_id}#{chunk.sent_id - 1}")
    if before is None or opens_with_pronoun(before.text):
        return ""
    both = f"{before.text.strip()} {text}"
    return both if len(both) <= LONGEST else ""
