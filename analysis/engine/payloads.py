"""Output of the citation formatter: the verifier API's CitationFormatterOutput and its parts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A source that the answer's own citations may number: its name, title and beginning."""

    doc_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A passage that citations may point to; `refs` are the evidence chunks merged into it."""

    text: str
    title: str
    refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemovedCitation:
    """A removed citation, its code points in the answer, and why."""

    text: str
    answer_char_span: tuple[int, int]
    reason: str


@dataclass(frozen=True, slots=True)
class CitationMismatch:
    """A claim and the (numbered) sources that it cites and that do not support it."""

    claim_id: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CitationNotes:
    """Notes on the making of the citations.

    `numbering` is "sources" where the answer came with citations of its own: their numbers stay;
    "unknown" where nobody knows what these number: the passages' own numbers replace them.
    """

    merged_redundant: bool
    method: str
    numbering: str
    removed: tuple[RemovedCitation, ...]
    mismatches: tuple[CitationMismatch, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationFormatterOutput:
    """The answer with citations: `[i]` in `formatted_text` points to `passages[i - 1]`.

    `citation_map` names the passages of each cited claim.
    """

    formatted_text: str
    citation_map: dict[str, tuple[int, ...]]
    passages: tuple[CitedPassage, ...]
    notes: CitationNotes


@dataclass(frozen=True, slots=True)
class PartialSentence:
    """A sentence of a partial answer: `text` at `final_char_span` of the final response.

    `confidence` (0-1) is that of its least sure claim; `citations` number the passages of the
    result's `citations`.
    """

    text: str
    final_char_span: tuple[int, int]
    claim_ids: tuple[str, ...]
    confidence: float | None
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The number of statements left out for one reason, and the reason in words."""

    reason: str
    statements: int
    text: str


@dataclass(frozen=True, slots=True)
class PartialAnswer:
    """The part of a blocked answer that may be shown; `note` says what is missing."""

    sentences: tuple[PartialSentence, ...]
    left_out: tuple[LeftOut, ...]
    note: str
