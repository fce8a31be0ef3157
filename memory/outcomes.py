"""Outcomes of remembering, as frozen values that name no database row; their reasons in words."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Status(StrEnum):
    WRITTEN = "written"
    SUPERSEDED = "superseded"
    """Written, in place of an earlier value of the same slot."""
    DUPLICATE = "duplicate"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason for not storing something: `code` for programs, `reason` for people.

    `hidden`: the words must not be repeated.
    """

    code: str
    reason: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class FactOutcome:
    """One judged fact. `code` and `reason` say why it was not stored, or are ""."""

    status: Status
    fact: str
    """The words that were judged; empty where they must not be repeated (personal data)."""
    target: str
    """user or company; empty where it was not judged worth storing."""
    confidence: float
    code: str = ""
    reason: str = ""
    entry_id: UUID | None = None
    """The entry that was written, or the one that says the same already."""
    superseded_ids: tuple[UUID, ...] = ()

    @property
    def stored(self) -> bool:
        return self.status in (Status.WRITTEN, Status.SUPERSEDED)


_ORDER = (Status.SUPERSEDED, Status.WRITTEN, Status.DUPLICATE, Status.REFUSED)


@dataclass(frozen=True, slots=True)
class MemoryOutcome:
    """The outcome of one statement: a fact for each judged sentence, at least one.

    `judge` names who judged: rules and their version, or the language model.
    """

    judge: str
    facts: tuple[FactOutcome, ...]

    @property
    def main(self) -> FactOutcome:
        """The most relevant fact: a stored one, else a duplicate, else a refusal."""
        return min(self.facts, key=lambda fact: _ORDER.index(fact.status))


_BY_CODE = {
    "secret": _("It holds a password, key or code, which is never stored."),
    "personal_data": _("It holds personal data, which is never stored."),
    "instruction": _("Memory stores facts; it accepts no instructions on how answers are judged."),
    "single_reading": _("A single reading is not a lasting fact."),
    "one_off": _("Something done once is not a lasting fact."),
    "question": _("A question is not a statement."),
    "reported": _("Only what the manager states is kept, not what a source says."),
    "transcript": _("The text is too long; state the fact in one sentence."),
    "nothing_said": _("Nothing was entered."),
    "unsure": _("It is not clear that this is a lasting fact."),
    "not_worth_storing": _("No lasting fact about the manager or the site was found."),
    "duplicate": _("This is already remembered."),
    "older": _("A newer value is remembered."),
}


def reason_text(code: str, reason: str) -> str:
    """Return the reason as judged, in English; in other languages the sentence of its code.

    Reasons are stored in English with their figures, so only their kind is translated.
    """
    if get_language() in ("en", None) or code not in _BY_CODE:
        return reason
    return str(_BY_CODE[code])
