"""What measuring one signal yields: a value, or the reason why there is none."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.engine.signal_types import JudgeUse
from analysis.engine.types import SignalStatus

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class SignalResult(Generic[T_co]):
    """`value` may stand beside a status that is not OK: a truncated signal has measured a part.

    `reason` says why the status is not OK, `model` what measured ("": the signal's own model),
    `judges` which of several judges decided.
    """

    value: T_co | None = None
    status: SignalStatus = SignalStatus.OK
    reason: str = ""
    model: str = ""
    judges: tuple[JudgeUse, ...] = ()


def not_applicable(reason: str) -> SignalResult[T_co]:
    """There is nothing that the signal could measure."""
    return SignalResult(status=SignalStatus.NOT_APPLICABLE, reason=reason)


def invalid(reason: str) -> SignalResult[T_co]:
    """The client's input for the signal cannot be used."""
    return SignalResult(status=SignalStatus.ERROR, reason=reason)
