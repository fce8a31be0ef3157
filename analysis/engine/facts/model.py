"""Facts: one figure of a claim, and what the evidence says about it."""

from enum import StrEnum

from msgspec import Struct

from lib.text.tokens import Tokens

Span = tuple[int, int]
"""Code points [start, end)."""


class Relation(StrEnum):
    """The relation of the evidence to a figure of the claim."""

    EQUAL = "equal"
    """The same value, perhaps in other words or units."""
    ENTAILED = "entailed"
    """Follows by rounding, by a bound or by arithmetic."""
    CONFLICTING = "conflicting"
    """The evidence states another value of the same thing."""
    ABSENT = "absent"
    """The evidence settles nothing."""


AGREEING = (Relation.EQUAL, Relation.ENTAILED)


class FactKind(StrEnum):
    """The kind of figure that a fact is about."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    MEASURE = "measure"
    DURATION = "duration"
    TIME = "time"
    DATE = "date"
    DAYS = "days"
    FREQUENCY = "frequency"


class FigureEvidence(Struct, frozen=True, gc=False):
    """The evidence about one figure of a claim.

    `claim_span` is the figure's place in the claim, `evidence_span` that in the text of evidence
    number `evidence`, both None if the evidence has none. `subject_match` (0-1) is how far the
    words around the two figures agree. `reason` is plain English: "the source says “10 feet”".
    `derived` says that it was computed from figures of the evidence; `span` is a time span in
    words, "the time from 9:00 to 17:00", if the passage has no other dates or times. `lead` are the
    words of the claim between a denial and its bound. `is_within` says that one figure is within
    the other's range or bound, `certain` that a conflict decides by itself.
    """

    kind: FactKind
    relation: Relation
    claim_span: Span
    evidence: int | None
    evidence_span: Span | None
    subject_match: float
    reason: str
    derived: bool = False
    span: str = ""
    lead: str = ""
    is_within: bool = False
    certain: bool = False

    @property
    def supports(self) -> bool:
        """True if the evidence confirms the figure."""
        return self.relation in AGREEING


class TextSpan(Struct, frozen=True, gc=False):
    """Tokens [first, last) of a text, with the terms of adjacent sentences and the title."""

    text: str
    tokens: Tokens
    first: int
    last: int
    around: frozenset[str] = frozenset()

    @property
    def words(self) -> list[str]:
        """Its tokens in lower case."""
        return self.tokens.lower[self.first : self.last]

    def span(self, first: int, last: int) -> Span:
        """Return the code points of tokens [first, last)."""
        return self.tokens.starts[first], self.tokens.ends[last - 1]

    def quote(self, first: int, last: int) -> str:
        """Return tokens [first, last) as written."""
        start, end = self.span(first, last)
        return self.text[start:end]
