"""Citations: inserted where a claim ends, kept, or removed if they point to nothing.

This is the verifier API's `right_span_insertion_v1`. An answer without citations is numbered by its
passages, the first one cited first. An answer with citations numbers the sources as its author did:
those numbers stay. If it is unknown what they number, ours appear only in the formatted text, and
only numbers above that of the passages, which name nothing, are removed from the answer.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.engine.claims.reading import marks_of_claims
from analysis.engine.response.edits import (
    CLOSERS,
    Edit,
    Span,
    apply,
    clipped,
    is_inside,
    stands_in,
    united,
    without_overlaps,
)
from analysis.engine.signal_types import Measurement
from analysis.engine.types import (
    CitationFormatterOutput,
    CitationNotes,
    CitedPassage,
    Claim,
    ClaimStatus,
    Document,
    EvidenceChunk,
    RemovedCitation,
)
from analysis.engine.verdict_types import ClaimDecision
from lib.text.citations import Mark, marks, needs_noun, reference_entries
from lib.text.reader.json_text import json_spans
from lib.text.thinking import thinking, without_thinking
from lib.text.tokens import plain_words

_MOST_COMPARED = 200
"""Beyond so many passages only equal ones are merged: comparing all pairs would take too long."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """The passages, the 1-based number of each evidence chunk, and whether any were merged."""

    passages: tuple[CitedPassage, ...]
    number: dict[str, int]
    merged: bool


@dataclass(slots=True)
class _Group:
    """Chunks with the same content, while they are being collected."""

    text: str
    words: str
    title: str
    refs: list[str]


def by_evidence(chunks: Sequence[EvidenceChunk]) -> Numbered:
    """Return one passage for each chunk in order; repetitions are merged."""
    groups = list[_Group]()
    equal = dict[str, _Group]()
    for chunk in chunks:
        words = _words(chunk.text)
        group = equal.get(words) or _redundant(groups, chunk, words)
        if group is None:
            group = _Group(chunk.text, words, chunk.source, [])
            groups.append(group)
        group.refs.append(chunk.ref)
        equal[words] = group
    passages = tuple(CitedPassage(group.text, group.title, tuple(group.refs)) for group in groups)
    number = {ref: at for at, group in enumerate(groups, start=1) for ref in group.refs}
    return Numbered(passages, number, any(len(group.refs) > 1 for group in groups))


def by_source(documents: Sequence[Document], chunks: Sequence[EvidenceChunk]) -> Numbered:
    """Return one passage for each document in its numbering, then all other chunks."""
    doc_ids = {document.doc_id for document in documents}
    others = by_evidence([chunk for chunk in chunks if chunk.doc_id not in doc_ids])
    number, passages = dict[str, int](), list[CitedPassage]()
    for place, document in enumerate(documents, start=1):
        own_chunks = sorted(
            (chunk for chunk in chunks if chunk.doc_id == document.doc_id),
            key=lambda chunk: chunk.char_start,
        )
        number |= {chunk.ref: place for chunk in own_chunks}
        refs = tuple(chunk.ref for chunk in own_chunks)
        passages.append(
            CitedPassage(_join_chunks(own_chunks) or document.text, document.title, refs)
        )
    number |= {ref: place + len(documents) for ref, place in others.number.items()}
    return Numbered((*passages, *others.passages), number, others.merged)


def _redundant(groups: Sequence[_Group], chunk: EvidenceChunk, words: str) -> _Group | None:
    """Return the group that contains the chunk's text, or whose text the chunk contains."""
    if len(groups) > _MOST_COMPARED:
        return None
    for group in groups:
        if words in group.words:
            return group
        if group.words in words:
            group.text, group.words, group.title = chunk.text, words, chunk.source
            return group
    return None


def _join_chunks(chunks: Iterable[EvidenceChunk]) -> str:
    """Return the chunks of one document in order, with an ellipsis for gaps."""
    text, last = "", 0
    for chunk in chunks:
        gap = " … " if chunk.sent_id > last + 1 else " "
        text += f"{gap}{chunk.text}" if text else chunk.text
        last = chunk.sent_id
    return text


def _words(text: str) -> str:
    """Return the words in lower case without marks, a space on each side."""
    return f" {' '.join(plain_words(text))} "


METHOD = "right_span_insertion_v1"
BY_PASSAGE, BY_SOURCE, UNKNOWN = "passages", "sources", "unknown"
NO_SUCH_SOURCE = "no_such_source"
UNKNOWN_SOURCE = "unknown_source"
MISSING = "[source missing]"
_MOST_NUMBERED = 10_000
"""No mark has a higher number."""
_TERMINAL = ".!?…。！？।"


@dataclass(frozen=True, slots=True)
class Citing:
    """The citations of one answer. `own` are the marks of each claim, in the order of claims.

    `insertions` move with their claim; `repairs` remove citations of nothing and `thoughts`, the
    model's reasoning; `visible` are those that apply to the shown text, `is_repaired`: citations
    are among them; `data` are the spans of JSON, which stay unchanged; `plain` writes `[1, 2]` and
    `[Source 3]` as evaluators read them: `[1][2]` and `[3]`.
    """

    numbered: Numbered
    numbering: str
    own: tuple[tuple[Mark, ...], ...]
    cited: tuple[tuple[int, ...], ...]
    insertions: dict[int, Edit]
    repairs: tuple[Edit, ...]
    thoughts: tuple[Edit, ...]
    visible: tuple[Edit, ...]
    is_repaired: bool
    plain: tuple[Edit, ...]
    removed: tuple[RemovedCitation, ...]
    data: Sequence[Span] = ()


def cite(answer: str, measurement: Measurement, decisions: Sequence[ClaimDecision]) -> Citing:
    """Find and number the passages; plan insertions and removals."""
    answer_marks, claims = marks(answer), measurement.claims
    by_own = bool(answer_marks and measurement.documents)
    chunks = _cited_first(measurement.evidence, decisions)
    numbered = by_source(measurement.documents, chunks) if by_own else by_evidence(chunks)
    own = marks_of_claims(answer, answer_marks, claims)
    highest = len(measurement.documents) if by_own else 0
    by_support = [numbered.number.get(_support(decision) or "") for decision in decisions]
    cited_sources = tuple(
        _numbers(claim_marks, highest) or (() if number is None else (number,))
        for claim_marks, number in zip(own, by_support, strict=True)
    )
    why = NO_SUCH_SOURCE if by_own else UNKNOWN_SOURCE
    data = json_spans(without_thinking(answer))
    # A program reads data, where a citation mark would be an extra value.
    answer_marks = tuple(m for m in answer_marks if not stands_in((m.start, m.end), data))
    repairs, removed = _repairs(answer, answer_marks, highest, why)
    thoughts = _thoughts(answer)
    repairs = tuple(united([*thoughts, *repairs]))
    visible, is_repaired = repairs, bool(removed)
    if answer_marks and not by_own:
        searched = measurement.relevance is not None and measurement.relevance.searched
        signals = measurement.signals if searched else ()
        beyond = [number for signal in signals for number in signal.cited_missing]
        existing = min(beyond, default=_MOST_NUMBERED + 1) - 1
        to_nothing, others = _repairs(answer, answer_marks, existing, why)
        visible, is_repaired = tuple(united([*thoughts, *to_nothing])), bool(others)
    places = {
        at: _insertion(answer, claims[at], numbers)
        for at, numbers in enumerate(cited_sources)
        if numbers and not _numbers(own[at], highest)
    }
    insertions = {
        at: edit
        for at, edit in places.items()
        if not any(repair.start < edit.start < repair.end for repair in repairs)
        and not stands_in((edit.start, edit.end), data)
    }
    cited_sources = tuple(
        () if at in places and at not in insertions else numbers
        for at, numbers in enumerate(cited_sources)
    )
    plain = tuple(
        _rewritten(mark, mark.numbers) for mark in answer_marks if max(mark.numbers) <= highest
    )
    plain = tuple(without_overlaps(repairs, plain)[len(repairs) :])
    numbering = BY_SOURCE if by_own else UNKNOWN if answer_marks else BY_PASSAGE
    return Citing(
        numbered, numbering, own, cited_sources, insertions, repairs, thoughts, visible,
        is_repaired, plain, removed, data,
    )  # fmt: skip


def _thoughts(answer: str) -> tuple[Edit, ...]:
    """Return the edits that remove reasoning, with the space after it at the beginning."""
    edits = list[Edit]()
    for start, end in thinking(answer):
        opens_answer = edits[-1].end == start if edits else not answer[:start].strip()
        if opens_answer:
            end = _past(answer, end, " \t\r\n")
        edits.append(Edit(start, end))
    return tuple(edits)


def formatted(answer: str, claims: Sequence[Claim], citing: Citing) -> CitationFormatterOutput:
    """Return the whole answer with its citations, whatever the verdicts."""
    notes = CitationNotes(citing.numbered.merged, METHOD, citing.numbering, citing.removed)
    pairs = zip(claims, citing.cited, strict=True)
    return CitationFormatterOutput(
        formatted_text=apply(answer, [*citing.repairs, *citing.plain, *citing.insertions.values()]),
        # The repairs may remove the line of a claim, such as that of a nonexistent source.
        citation_map={
            claim.claim_id: numbers
            for claim, numbers in pairs
            if numbers and not is_inside(claim, citing.repairs)
        },
        passages=citing.numbered.passages,
        notes=notes,
    )


def remove_citations_to_nothing(
    text: str, passages: int
) -> tuple[str, tuple[RemovedCitation, ...]]:
    """Return the text with citations of 1 to `passages` only, and the removed ones."""
    repairs, removed = _repairs(text, marks(text), passages, NO_SUCH_SOURCE)
    return apply(text, repairs), removed


def without_mark(answer: str, mark: Mark) -> Edit:
    """Return the edit that removes a mark with the space or brackets around it."""
    start, end = mark.start, mark.end
    if answer[start - 1 : start] == "(" and answer[end : end + 1] == ")":
        start, end = start - 1, end + 1
    head = start
    while head and answer[head - 1] in " \t\u00a0":
        head -= 1
    if needs_noun(answer, head):
        return Edit(start, end, MISSING)
    if head == 0 or answer[head - 1] in "\r\n":
        return Edit(start, _past(answer, end, " "))
    return Edit(head, end)


def _cited_first(
    evidence: Sequence[EvidenceChunk], decisions: Sequence[ClaimDecision]
) -> list[EvidenceChunk]:
    """Return the chunks that support claims in text order, then contradicting ones, then others."""
    by_ref = {chunk.ref: chunk for chunk in evidence}
    against = [
        decision.primary_evidence
        for decision in decisions
        if decision.status is ClaimStatus.CONTRADICTORY
    ]
    refs = [*map(_support, decisions), *against, *by_ref]
    return [by_ref[ref] for ref in dict.fromkeys(refs) if ref in by_ref]


def _support(decision: ClaimDecision) -> str | None:
    return decision.primary_evidence if decision.status is ClaimStatus.SUPPORTED else None


def _numbers(marks: Iterable[Mark], highest: int) -> tuple[int, ...]:
    """Return the numbers that a claim's own marks cite, each once."""
    numbers = (number for mark in marks for number in mark.numbers if number <= highest)
    return tuple(dict.fromkeys(numbers))


def _insertion(answer: str, claim: Claim, numbers: Iterable[int]) -> Edit:
    """Return the edit that cites behind the claim, its closing quotes and, at its end, the stop."""
    at = _past(answer, claim.end, CLOSERS)
    stop = _past(answer, at, _TERMINAL)
    at = _past(answer, stop, CLOSERS) if stop > at else at
    return Edit(at, at, f" {_marks(numbers)}")


def _marks(numbers: Iterable[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _past(answer: str, at: int, chars: str) -> int:
    while at < len(answer) and answer[at] in chars:
        at += 1
    return at


def _repairs(
    answer: str, marks: Sequence[Mark], highest: int, why: str
) -> tuple[tuple[Edit, ...], tuple[RemovedCitation, ...]]:
    """Return edits for marks that cite beyond `highest`; a listed source loses its line."""
    edits, removed = list[Edit](), list[RemovedCitation]()
    entries = reference_entries(answer) if marks else ()
    spans_removed, starts = dict[Span, None](), set[Span]()
    for mark in marks:
        numbers = [number for number in mark.numbers if number <= highest]
        entry = _entry(entries, mark)
        opens = entry is not None and entry not in starts
        if entry:
            starts.add(entry)
        if len(numbers) == len(mark.numbers):
            continue
        span = (mark.start, mark.end)
        removed.append(RemovedCitation(answer[slice(*span)], span, why))
        if entry and opens and not numbers:
            spans_removed[entry] = None
        elif entry not in spans_removed:
            edits.append(_rewritten(mark, numbers) if numbers else without_mark(answer, mark))
    between = (answer[before[1] : after[0]] for before, after in pairwise(entries))
    if entries and len(spans_removed) == len(entries) and not any(map(str.strip, between)):
        edits += _without_list(answer, entries)
    else:
        # Each goes with the line end before it.
        edits += [Edit(len(answer[:at].rstrip("\r\n")), end) for at, end in spans_removed]
    return tuple(clipped(edits)), tuple(removed)


def _rewritten(mark: Mark, numbers: Sequence[int]) -> Edit:
    return Edit(mark.start, mark.end, _marks(numbers))


def _entry(entries: Sequence[Span], mark: Mark) -> Span | None:
    """Return the line of a reference list that contains the mark as its first."""
    at = bisect_right(entries, mark.start, key=lambda entry: entry[0]) - 1
    return entries[at] if at >= 0 and mark.start < entries[at][1] else None


def _without_list(answer: str, entries: Sequence[Span]) -> list[Edit]:
    """Return edits that remove every entry and the title above them."""
    body = answer[: entries[0][0]].rstrip()
    titled = answer[slice(*entries[0])].lstrip(" \t-*•+").startswith("[")
    start = body.rfind("\n") + 1 if titled else entries[0][0]
    return [Edit(len(answer[:start].rstrip()), entries[-1][1])]
