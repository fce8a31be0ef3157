"""The API's output as frozen pydantic models.

Each declares the members that applications use; whatever else the server sends is kept and can be
read as an attribute. `tests/unit/clients/test_openapi_contract.py` compares them with
docs/openapi.yaml.
"""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

Action = Literal["ALLOW", "WARN", "BLOCK"]
CheckState = Literal["queued", "running", "done", "failed"]


class Model(BaseModel):
    """A part of a response."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Evidence(Model):
    """A passage of a source. Offsets are code points."""

    doc_id: str
    text: str
    source: str
    char_start: int
    char_end: int


class Confidence(Model):
    """A claim's probabilities and confidence, 0 to 1; None if nothing was measured."""

    support_prob: float | None
    contradict_prob: float | None
    overall_confidence: float | None
    band: Literal["High", "Medium", "Low"]


class Claim(Model):
    """One statement of the answer and the decision about it."""

    claim_id: str
    text: str
    status: Literal["Supported", "Contradictory", "Low Confidence"]
    label: Literal["Supported", "Contradicted", "Not confirmed"]
    reason: str | None
    wording: str
    rationale: str
    confidence: Confidence
    answer_char_span: list[int]
    final_char_span: list[int] | None
    primary_evidence: Evidence | None


class Reason(Model):
    """A reason for the action; `decided` marks the deciding one."""

    code: str
    action: Action
    text: str
    decided: bool


class NotChecked(Model):
    """A signal that did not finish, and why."""

    signal: str
    status: str
    reason: str


class FlaggedPassage(Model):
    """A part of a source, code points [start, end), that reads like an order to a model."""

    doc_id: str
    start: int
    end: int


class Hold(Model):
    """The state of a held answer; until it is settled a person reviews it."""

    state: Literal["awaiting", "approved", "edited", "refused", "expired"]
    due_at: datetime | None
    settled_at: datetime | None


class _CheckHead(Model):
    """The members that lists and single checks share."""

    id: str
    state: CheckState
    created_at: datetime
    finished_at: datetime | None
    source_model: str
    action: Action | None
    risk_score: int | None
    risk_level: Literal["LOW", "MEDIUM", "HIGH"] | None


class CheckSummary(_CheckHead):
    """A check as lists and batches show it, with the beginning of its question."""

    question: str


class Check(_CheckHead):
    """A check with its verdict; until `finished`, the verdict's members are None or empty.

    `query` has the question as `text`, with `id` and `timestamp`.
    """

    query: dict[str, Any]
    messages: list[dict[str, Any]] | None
    collections: list[str]
    answer: str
    explanation: str | None
    reasons: list[Reason]
    not_checked: list[NotChecked]
    final_response: str | None
    hallucination_score: float | None
    claims: list[Claim]
    mitigation_actions: list[str]
    metadata: dict[str, Any]
    policy_version: int | None
    policy_override: str | None
    engine_version: str | None
    milliseconds: float | None
    injection: list[FlaggedPassage]
    hold: Hold | None = None

    @property
    def finished(self) -> bool:
        """True if the verdict will not change any more."""
        return self.state in ("done", "failed")

    @property
    def awaiting_review(self) -> bool:
        """True if the answer is held: a person has to approve it before it is shown."""
        return self.hold is not None and self.hold.state == "awaiting"


class FieldError(Model):
    """The error of one field of a batch item."""

    field: str
    detail: str
    code: str


class BatchItem(Model):
    """One answer of a batch: its check, or the errors for which it was refused."""

    index: int
    check: CheckSummary | None = None
    errors: list[FieldError] = []


class Batch(Model):
    """A batch of answers. `states` counts the checks by state."""

    id: str
    created_at: datetime
    items_total: int
    states: dict[str, int]
    refused: int
    items: list[BatchItem]

    @property
    def finished(self) -> bool:
        """True if every accepted check is done or failed."""
        return not any(self.states.get(state) for state in ("queued", "running"))


class Collection(Model):
    """A named set of documents."""

    id: str
    name: str
    title: str
    class_number: int | None
    subject: str
    chunk_count: int
    created_at: datetime


class Document(Model):
    """An uploaded file; `error` says why a failed one cannot be read."""

    id: str
    collection: str
    name: str
    state: Literal["queued", "running", "indexed", "failed"]
    error_code: str
    error: str
    title: str
    size_bytes: int
    chunk_count: int
    warnings: list[str]
    created_at: datetime
    indexed_at: datetime | None

    @property
    def finished(self) -> bool:
        """True if it is indexed, or has failed."""
        return self.state in ("indexed", "failed")


class Passage(Model):
    """A search result. Offsets are code points into the document's text."""

    doc_id: str
    text: str
    source: str
    collection: str
    citation: str
    title: str
    rank: int
    score_hybrid: float
    relevance: float
    char_start: int
    char_end: int
    page: int | None


class Feedback(Model):
    """An end user's opinion of an answer."""

    helpful: bool
    comment: str
    created_at: datetime
    changed_at: datetime


class Key(Model):
    """The API key that calls, without its secret."""

    prefix: str
    name: str
    scopes: list[str]


class Link(Model):
    """A link to the verdict page of one check, without a log-in."""

    url: str
    expires_at: datetime


Item = TypeVar("Item", bound=Model)


class Page(Model, Generic[Item]):
    """A page of a list; `next` is the URL of the page after it."""

    next: str | None
    previous: str | None
    results: list[Item]
