"""The engine's input, claims and the names of all states (verifier API).

All offsets are code points. Text offsets of a claim count in the answer as submitted, those of an
evidence chunk in the text of its source.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class SignalStatus(StrEnum):
    """The status of a signal; anything but OK is not clean."""

    OK = "ok"
    NOT_APPLICABLE = "not_applicable"
    UNAVAILABLE = "unavailable"
    TRUNCATED = "truncated"
    ERROR = "error"


FAILED = (SignalStatus.UNAVAILABLE, SignalStatus.TRUNCATED, SignalStatus.ERROR)
"""The statuses of a signal that did not finish."""
NO_VALUE = (SignalStatus.UNAVAILABLE, SignalStatus.ERROR)
"""Those of a signal that did not measure even a part."""


class ClaimStatus(StrEnum):
    """The verifier API's verdicts."""

    SUPPORTED = "Supported"
    CONTRADICTORY = "Contradictory"
    LOW_CONFIDENCE = "Low Confidence"


class LowConfidenceReason(StrEnum):
    NOT_CONFIRMED = "not_confirmed"
    """More likely unsupported than supported, but not enough to warn."""
    NOT_SUPPORTED = "not_supported"
    NOTHING_FOUND = "nothing_found"
    CONFLICTING_SOURCES = "conflicting_sources"
    NOT_CHECKABLE = "not_checkable"
    NOT_CHECKED = "not_checked"


class AnswerKind(StrEnum):
    """The kinds of answers that probabilities are calibrated within, known before any verdict."""

    BARE = "bare"
    """A name, a figure or a phrase that states something only with its question."""
    PLACED = "placed"
    """A bare answer that occurs in the sources, at a known distance from its question's words."""
    SHORT = "short"
    """One or two sentences."""
    LONG = "long"
    """Three sentences or more."""
    RECORD = "record"
    """One or two sentences, and most claims are compared with records or tables."""
    LONG_RECORD = "long_record"
    """Three sentences or more about records or tables."""


class RiskLevel(StrEnum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class Action(StrEnum):
    """The action that the application is told to take, ordered by severity."""

    ALLOW = "ALLOW"
    WARN = "WARN"
    BLOCK = "BLOCK"

    @property
    def severity(self) -> int:
        """0 for ALLOW, 1 for WARN, 2 for BLOCK."""
        return ("ALLOW", "WARN", "BLOCK").index(self.value)


class Expiry(StrEnum):
    """The text that is shown once the due time of a held answer has passed."""

    REFUSE = "refuse"
    RELEASE = "release"


class Treatment(StrEnum):
    """The treatment of a claim in the final response."""

    KEEP = "keep"
    FLAG = "flag"
    REPLACE = "replace"
    SUPPRESS = "suppress"


class Band(StrEnum):
    HIGH = "High"
    MEDIUM = "Medium"
    LOW = "Low"


class FindingKind(StrEnum):
    CONFIDENT_LANGUAGE = "confident_language"
    SENSITIVE_DOMAIN = "sensitive_domain"
    TIMELINE = "timeline"
    STATUS = "status"
    YES_NO = "yes_no"
    NUMERIC = "numeric"


class ConflictKind(StrEnum):
    """The kind of conflict between a passage and a claim."""

    NEGATION = "negation"
    ANTONYM = "antonym"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    FIELD = "field"
    """A field of a record, or its opening hours, states otherwise."""
    FRAME = "frame"
    """The same words stand in another frame: denied, reported, said of the past."""


@dataclass(frozen=True, slots=True)
class Source:
    """One source of the answer, given by the client or (`retrieved`) found by a search.

    `relevance` (0-1, calibrated) to the question, if a search measured it; `dense` (cosine) and
    `hybrid` (fused ranks) are the search's scores. `flagged` are the code points [start, end) that
    an injection scan flags: they are no evidence.
    """

    source_id: str
    text: str
    title: str = ""
    uri: str = ""
    retrieved: bool = False
    relevance: float | None = None
    flagged: tuple[tuple[int, int], ...] = ()
    dense: float | None = None
    hybrid: float | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """An answer to check. `sources` is None if none were asked for, () if none were found.

    `samples` are further answers of the same generator to the same question; `token_logprobs` is
    `logprobs.content` of the answer as OpenAI-compatible APIs return it, None if not given.
    `cautions` are sentences in which the application itself asks for a warning.
    """

    answer: str
    query: str = ""
    sources: tuple[Source, ...] | None = None
    samples: tuple[str, ...] = ()
    token_logprobs: Any = None
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """One atomic statement; `answer[start:end] == text`.

    `subject` is the claim's subject if its own words do not name it: "merged with SNU" carries "SSN
    College".
    """

    claim_id: str
    text: str
    start: int
    end: int
    subject: str
    extraction_method: str


@dataclass(frozen=True, slots=True)
class EvidenceChunk:
    """A passage of a source (verifier API). Scores are None if no such ranking ran.

    `path` leads back into a source that is a record (JSON); offsets then count in the record's
    words. `lead_in` are the sentences before a passage that refers back ("It costs 40 euros"), at
    most three; the first may be its heading or title.
    """

    doc_id: str
    sent_id: int
    text: str
    char_start: int
    char_end: int
    score_bm25: float | None
    score_dense: float | None
    score_hybrid: float | None
    rank: int
    source: str
    version: str
    path: str = ""
    lead_in: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        """The verifier API's name of a passage: "enwiki_12345#17"."""
        return f"{self.doc_id}#{self.sent_id}"


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
