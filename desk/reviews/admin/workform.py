"""The form of the workbench: what was filled in, and how it is shown again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from analysis.models import ReasonCode, Review
from desk.reviews.selectors.desk import decisions_on
from desk.reviews.services.reviews import AGREE, Words
from desk.verdict_page.selectors import ClaimLine
from desk.verdict_page.words import STATUSES_OF_CLAIMS

_CLAIM = "claim-"
_KEYS = {"confirmed": "1", "approved": "1", "overturned": "2", "refused": "2", "escalated": "3"}
DECISION_NAMES = {
    "confirmed": _("Confirm"),
    "overturned": _("Overturn"),
    "approved": _("Approve"),
    "refused": _("Refuse"),
    "escalated": _("Escalate"),
}
CHOICES = (
    ("", _("not judged")),
    (AGREE, _("agree")),
    *((str(status), name) for status, name in STATUSES_OF_CLAIMS.items()),
)


def is_id(text: str) -> bool:
    """Return whether a part of a URL or a form can be the id of a row."""
    return text.isascii() and text.isdecimal() and len(text) < 16


@dataclass(frozen=True, slots=True)
class FormValues:
    """The submitted or stored fields; `claims` maps claim ids to choices."""

    decision: str = ""
    note: str = ""
    corrected_text: str = ""
    reason_codes: list[str] = field(default_factory=list)
    claims: dict[str, str] = field(default_factory=dict)
    evidence_seconds: int = 0

    @classmethod
    def of(cls, params: QueryDict, lines: Sequence[ClaimLine]) -> "FormValues":
        """Parse the form; claim numbers become claim ids."""
        ids = {f"{_CLAIM}{line.number}": line.claim_id for line in lines}
        seconds = params.get("evidence_seconds", "")
        return cls(
            evidence_seconds=int(seconds) if seconds.isdecimal() and len(seconds) < 6 else 0,
            decision=params.get("decision", ""),
            note=params.get("note", "").strip(),
            corrected_text=params.get("corrected_text", "").strip(),
            reason_codes=params.getlist("reason_codes"),
            claims={
                ids[name]: str(params[name]) for name in params if name in ids and params[name]
            },
        )

    @classmethod
    def from_draft(cls, fields: Mapping[str, Any]) -> "FormValues":
        return cls(**{name: fields[name] for name in cls.__slots__ if fields.get(name)})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def words(self) -> Words:
        return Words(
            self.note, self.reason_codes, self.corrected_text, self.claims, self.evidence_seconds
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision or reason code to choose; `key` is its keyboard shortcut."""

    value: str
    label: str
    key: str
    chosen: bool
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    filled: FormValues
    decisions: list[Choice]
    codes: list[Choice]


def form_of(review: Review, filled: FormValues) -> Form:
    """Return the form for this review with what was filled in."""
    return Form(
        filled=filled,
        decisions=[
            Choice(word, str(DECISION_NAMES[word]), _KEYS[word], filled.decision == word)
            for word in map(str, decisions_on(review))
        ],
        codes=[
            Choice(c.code, c.label, "", c.code in filled.reason_codes, c.decision)
            for c in ReasonCode.objects.filter(is_active=True)
        ],
    )
