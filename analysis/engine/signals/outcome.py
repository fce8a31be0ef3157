"""What a signal that a client may give something for reports: a status, and a value a claim."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.engine.types import SignalStatus

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """`claims` holds one value for each claim, None where there is none; it may be empty.

    `reason` says why the status is not OK, `model` what measured.
    """

    claims: tuple[T | None, ...] = ()
    status: SignalStatus = SignalStatus.OK
    reason: str = ""
    model: str = ""


def idle(reason: str) -> Outcome[T]:
    """Nothing was given that could be measured."""
    return Outcome(status=SignalStatus.NOT_APPLICABLE, reason=reason)


def failed(reason: str, model: str = "") -> Outcome[T]:
    """What was given cannot be used."""
    return Outcome(status=SignalStatus.ERROR, reason=reason, model=model)
