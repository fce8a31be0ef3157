"""The result of measuring one signal: a value, or the reason why there is none."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.engine.signal_types import JudgeUse
from analysis.engine.types import SignalStatus

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class SignalResult(Generic[T_co]):
    """A signal's result; a `value` with a status other than OK is a partial measurement.

    `reason` says why the status is not OK, `model` what measured ("": the signal's own model),
    `judges` which of several judges decided.
    """

    value: T_co | None = None
    status: SignalStatus = SignalStatus.OK
    reason: str = ""
    model: str = ""
    judges: tuple[JudgeUse, ...] = ()


def not_applicable(reason: str) -> SignalResult[T_co]:
    """Return the result of a signal that had nothing to measure."""
    return SignalResult(status=SignalStatus.NOT_APPLICABLE, reason=reason)


def invalid(reason: str) -> SignalResult[T_co]:
    """Return the result for unusable client input."""
    return SignalResult(status=SignalStatus.ERROR, reason=reason)
