"""One claim in detail: its rule, passages and all signals."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _

from analysis.engine.policy import PolicyRules
from analysis.engine.types import Band, ClaimStatus, LowConfidenceReason, Source
from analysis.records.document import by_ref, ref_of
from desk.verdict_page import words
from desk.verdict_page.answer import Head, Run, claim_runs, head
from desk.verdict_page.engine_texts import in_words
from desk.verdict_page.marking import (
    MarkedSegment,
    Span,
    differing_figures,
    doubted,
    negated_words,
    opposing_words,
    says_the_same,
    segments,
    shared_words,
)
from desk.verdict_page.readings import ReadingRow, notes, readings
from desk.verdict_page.reasons import DOUBTED
from desk.verdict_page.selectors import ClaimLine, band_of

_MOST_CONTEXT = 400
"""Characters of the paragraph shown on each side of a passage."""
_SAYS = re.compile("the source says “([^”]+)”")
_SIDES = ("supported", "contradictory", "unsure")
_LONGEST_QUOTATION = 160
"""Characters of a sentence that a headline can hold."""


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """An evidence passage: its side, origin and marked words.

    `before` and `after` are the rest of its paragraph in the source. `path` leads back into a
    source that is a record.
    """

    side: str
    kind: str
    title: str
    address: str
    is_link: bool
    path: str
    before: str
    pieces: list[MarkedSegment]
    after: str


@dataclass(frozen=True, slots=True)
class Detail:
    """One claim; `before` and `after` are its neighbours in the text."""

    head: Head
    headline: str
    likelihood: str
    total: int
    claim_id: str
    runs: list[Run]
    rule: str
    support: str
    contradiction: str
    conflicts: list[str]
    passages: list[EvidencePassage]
    miscited: str
    nothing: str
    readings: list[ReadingRow]
    notes: list[tuple[str, str]]
    policy_version: int
    raw: str
    before: Head | None
    after: Head | None

    @property
    def main_passages(self) -> list[EvidencePassage]:
        """The passages that take a side, else the closest one."""
        return [item for item in self.passages if item.kind in _SIDES] or self.passages[:1]

    @property
    def others(self) -> list[EvidencePassage]:
        """The other compared passages."""
        return [item for item in self.passages if item not in self.main_passages]

    @property
    def says_more(self) -> bool:
        """True if the headline tells what status and passage together do not."""
        return self.head.kind == "unsure" or len(self.main_passages) != 1

    @property
    def chance(self) -> str:
        """The probability behind the verdict: of what the verdict says, or named."""
        if self.head.kind in ("contradictory", "unsure"):
            return self.contradiction
        return self.support if self.head.kind == "supported" else _("support %s") % self.support

    @property
    def marks_opposition(self) -> bool:
        """True if any passage has marked words that contradict the claim."""
        return any("against" in piece.keys for passage in self.passages for piece in passage.pieces)


def detail(
    answer: str,
    lines: Sequence[ClaimLine],
    line: ClaimLine,
    claim: dict[str, Any],
    *,
    states: dict[str, Any],
    rules: PolicyRules,
    policy_version: int,
    sources: Sequence[Source],
    suppressed: Collection[int],
    miscited: bool,
) -> Detail:
    """Return the panel of one claim; `claim` is its document, `states` those of the signals.

    `suppressed` are the numbers of removed claims. `miscited`: the sources that it cites do not
    support it.
    """
    confidence, signal = claim["confidence"], claim["signal"]
    doubts = doubted(answer, signal["unsupported"], rules.doubt_at)
    cited = " ".join(f"[{number}]" for number in signal["cited"])
    at = line.number - 1
    return Detail(
        head=head(answer, replace(line, is_doubted=is_only_doubted(claim)), suppressed),
        headline=headline(claim),
        likelihood=_likelihood(claim),
        total=len(lines),
        claim_id=line.claim_id,
        runs=claim_runs(answer, line, doubts),
        rule=claim["rationale"].partition(": ")[0],
        support=words.percent(confidence["support_prob"]),
        contradiction=words.percent(confidence["contradict_prob"]),
        conflicts=[in_words(conflict["detail"]) for conflict in signal["conflicts"]],
        passages=_passages(claim, sources),
        miscited=_("The answer cites %s here, which does not say this.") % cited
        if miscited and cited
        else "",
        nothing=_nothing(claim),
        readings=readings(answer, signal, states, rules),
        notes=notes(states),
        policy_version=policy_version,
        raw=to_json(claim),
        before=head(answer, lines[at - 1]) if at > 0 else None,
        after=head(answer, lines[at + 1]) if at + 1 < len(lines) else None,
    )


def is_link(address: str) -> bool:
    """Return whether an address is a web link; `javascript:` and the like stay text."""
    try:
        return urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return False


def to_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, cls=DjangoJSONEncoder)


def _passages(claim: dict[str, Any], sources: Sequence[Source]) -> list[EvidencePassage]:
    """Return the evidence passages, the decisive one first."""
    decisive = claim["primary_evidence"]
    others = [chunk for chunk in claim["evidence"] if chunk != decisive]
    chunks = [decisive, *others] if decisive else others
    return [_passage(claim, chunk, sources) for chunk in chunks]


def _passage(
    claim: dict[str, Any], chunk: dict[str, Any], sources: Sequence[Source]
) -> EvidencePassage:
    source = next((s for s in sources if s.source_id == chunk["doc_id"]), None)
    address = source.uri if source else ""
    side, kind = _side(claim, chunk)
    before, after = _context(source, chunk)
    same = shared_words(chunk["text"], claim["text"])
    against = _against(claim, chunk["text"]) if kind == "contradictory" else []
    return EvidencePassage(
        side=side,
        kind=kind,
        title=_title(chunk),
        address=address,
        is_link=is_link(address),
        path=chunk.get("path", ""),
        before=before,
        pieces=segments(chunk["text"], [*same, *against]),
        after=after,
    )


def _against(claim: dict[str, Any], passage: str) -> list[Span]:
    """Return the words of the passage that a rule names, else those that the claim contradicts."""
    opposing = opposing_words(passage, claim["signal"]["conflicts"], claim["text"])
    figures = opposing or differing_figures(passage, claim["text"])
    return figures or negated_words(passage, claim["text"])


def _nothing(claim: dict[str, Any]) -> str:
    """Return the text shown if there is no passage; "" if the headline says as much."""
    if claim["reason"] == LowConfidenceReason.NOT_CHECKED:
        return _("It was compared with no source.")
    if claim["status"] != ClaimStatus.LOW_CONFIDENCE:
        return _("No single passage was found for this claim.")
    return ""


def _side(claim: dict[str, Any], chunk: dict[str, Any]) -> tuple[str, str]:
    """Return the label and style of a passage: a side only if the verdict names one."""
    if _sources_disagree(claim):
        return _side_of_dispute(claim, chunk)
    if chunk == claim["primary_evidence"]:
        if claim["status"] == ClaimStatus.CONTRADICTORY:
            if is_only_doubted(claim):
                return _("Closest passage"), "unsure"
            return _("Contradicts the claim"), "contradictory"
        if claim["status"] == ClaimStatus.SUPPORTED:
            if band_of(claim["confidence"]["band"]) is Band.LOW:
                return _("Closest passage"), "none"
            return _("Supports the claim"), "supported"
    elif _is_other_voice(claim, chunk):
        return _("Says what the claim says"), "supported"
    return _("Related passage"), "none"


def _sources_disagree(claim: dict[str, Any]) -> bool:
    return bool(claim["reason"] == LowConfidenceReason.CONFLICTING_SOURCES)


def _side_of_dispute(claim: dict[str, Any], chunk: dict[str, Any]) -> tuple[str, str]:
    """Return the side of a passage if one source supports the claim and another contradicts it."""
    ref = ref_of(chunk)
    if ref == claim["signal"]["contradicted_by"]:
        return _("Contradicts the claim"), "contradictory"
    if ref == claim["signal"]["supported_by"]:
        return _("Supports the claim"), "supported"
    return _("Related passage"), "none"


def _is_other_voice(claim: dict[str, Any], chunk: dict[str, Any]) -> bool:
    """Return whether this passage repeats a claim that another source contradicts.

    The verdict may rest on the contradiction alone; the page shows both.
    """
    decisive = claim["primary_evidence"]
    if claim["status"] != ClaimStatus.CONTRADICTORY or not decisive:
        return False
    is_other = bool(chunk["doc_id"] != decisive["doc_id"])
    return is_other and says_the_same(chunk["text"], claim["text"])


def headline(claim: dict[str, Any]) -> str:
    """Return the verdict in one sentence: "Contradicted: the source says “2019”"."""
    title = (claim["primary_evidence"] or {}).get("source", "")
    if _sources_disagree(claim):
        return _dispute(claim)
    if claim["status"] == ClaimStatus.SUPPORTED:
        if band_of(claim["confidence"]["band"]) is Band.LOW:
            return _("Supported, but only just: it is uncertain whether the sources say this.")
        return _("Supported by “%s”.") % title if title else _("Supported by a source.")
    if claim["status"] != ClaimStatus.CONTRADICTORY:
        return words.sentence(words.reason_words(claim["reason"]))
    verdict = _contradiction(claim, title)
    other = next((chunk for chunk in claim["evidence"] if _is_other_voice(claim, chunk)), None)
    if other is None:
        return verdict
    disagree = _("But the sources disagree: “%s” says what the claim says.") % _title(other)
    return f"{verdict} {disagree}"


def is_only_doubted(claim: dict[str, Any]) -> bool:
    """Return whether only the judge contradicts a claim that its passage repeats word for word."""
    is_contradicted = claim["status"] == ClaimStatus.CONTRADICTORY
    return is_contradicted and not claim["signal"]["conflicts"] and _same_words(claim)


def _same_words(claim: dict[str, Any]) -> bool:
    """Return whether the words of the claim or of the decisive passage contain the other's."""
    text = (claim["primary_evidence"] or {}).get("text", "")
    return says_the_same(text, claim["text"]) or says_the_same(claim["text"], text)


def _contradiction(claim: dict[str, Any], title: str) -> str:
    if is_only_doubted(claim):
        return str(DOUBTED)
    details = [conflict["detail"] for conflict in claim["signal"]["conflicts"]]
    if details and not any(map(_SAYS.search, details)) and _same_words(claim):
        return _("Contradicted: %s.") % in_words(details[0])
    if quotation := _quotation(claim, claim["primary_evidence"]):
        return _("Contradicted: the source says “%s”.") % quotation
    return _("Contradicted by “%s”.") % title if title else _("Contradicted by a source.")


def _dispute(claim: dict[str, Any]) -> str:
    """Return which source agrees, and what the other says instead."""
    chunks, signal = by_ref(claim["evidence"]), claim["signal"]
    pro, con = chunks.get(signal["supported_by"]), chunks.get(signal["contradicted_by"])
    quotation = _quotation(claim, con)
    if pro is None or con is None or not quotation:
        return words.sentence(words.reason_words(claim["reason"]))
    texts = {"pro": _title(pro), "con": _title(con), "words": quotation}
    return _("The sources disagree: “%(pro)s” says so, “%(con)s” says “%(words)s”.") % texts


def _title(chunk: dict[str, Any]) -> str:
    return str(chunk["source"] or chunk["doc_id"])


def _quotation(claim: dict[str, Any], chunk: dict[str, Any] | None) -> str:
    """Return what the source says instead: the words that a rule names, else a short sentence."""
    details = (conflict["detail"] for conflict in claim["signal"]["conflicts"])
    quotations = (_SAYS.findall(detail) for detail in details)
    sentence = (chunk or {}).get("text", "").strip()
    whole = sentence.rstrip(".") if len(sentence) <= _LONGEST_QUOTATION else ""
    return next((texts[-1] for texts in quotations if texts), whole)


def _likelihood(claim: dict[str, Any]) -> str:
    """Return the probability behind the verdict in one sentence, or "" if none was measured."""
    confidence = claim["confidence"]
    if _sources_disagree(claim):
        return ""
    if claim["status"] == ClaimStatus.CONTRADICTORY:
        share, sentence = (
            confidence["contradict_prob"],
            _("Probability that it is contradicted: %s."),
        )
    else:
        share, sentence = confidence["support_prob"], _("Probability that it is supported: %s.")
    return "" if share is None else sentence % words.percent(share)


def _context(source: Source | None, chunk: dict[str, Any]) -> tuple[str, str]:
    """Return the rest of the passage's paragraph, before and after it; "" if it is not found."""
    start, end = chunk["char_start"], chunk["char_end"]
    if source is None or chunk.get("path") or source.text[start:end] != chunk["text"]:
        return "", ""
    before, after = source.text[:start], source.text[end:]
    before = before.rpartition("\n\n")[2]
    after = after.partition("\n\n")[0]
    if len(before) > _MOST_CONTEXT:
        before = f"…{before[-_MOST_CONTEXT:]}"
    return before, after if len(after) <= _MOST_CONTEXT else f"{after[:_MOST_CONTEXT]}…"
