"""Outcomes of remembering, as frozen values that name no database row."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


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
    def written(self) -> tuple[FactOutcome, ...]:
        return tuple(fact for fact in self.facts if fact.stored)

    @property
    def main(self) -> FactOutcome:
        """The most relevant fact: a stored one, else a duplicate, else a refusal."""
        return min(self.facts, key=lambda fact: _ORDER.index(fact.status))

    @property
    def status(self) -> Status:
        return self.main.status

    @property
    def reason(self) -> str:
        """The reason why nothing was stored; "" if something was."""
        return self.main.reason

    @property
    def entry_id(self) -> UUID | None:
        return self.main.entry_id
