"""Runs signals: measures their time, and states a failure instead of raising it."""

import logging
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from analysis.engine.signal_types import JudgeUse, SignalName, SignalState
from analysis.engine.types import SignalStatus
from inference.errors import ModelError, OutOfTime

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


T = TypeVar("T")
logger = logging.getLogger(__name__)


class Limit(Protocol):
    """The time limit of all signals together."""

    def interrupting(self) -> AbstractContextManager[None]:
        """Raise OutOfTime, at once or within the block, when the time is over."""
        ...

    def seconds_for_models(self) -> float:
        """Return the seconds left for a model that can be stopped early, 0 or more."""
        ...


def run(
    name: SignalName,
    model: str,
    measure: Callable[[], SignalResult[T]],
    limit: Limit | None = None,
) -> tuple[T | None, SignalState]:
    """Return the value of one signal (None if it raised or ran out of time) and its state."""
    began = time.perf_counter()
    result = _attempt(name, measure, limit)
    ms = round((time.perf_counter() - began) * 1000, 3)
    by = result.model or ("" if result.status is SignalStatus.NOT_APPLICABLE else model)
    return result.value, SignalState(result.status, result.reason, by, ms, result.judges)


def _attempt(
    name: SignalName, measure: Callable[[], SignalResult[T]], limit: Limit | None
) -> SignalResult[T]:
    try:
        with limit.interrupting() if limit is not None else nullcontext():
            return measure()
    except OutOfTime as error:
        return SignalResult(status=SignalStatus.TRUNCATED, reason=str(error))
    except ModelError as error:
        log_failure(name.value, error)
        return SignalResult(status=SignalStatus.UNAVAILABLE, reason=error.problem)
    except Exception as error:  # noqa: BLE001 - a stated outcome, whatever went wrong
        log_failure(name.value, error)
        reason = f"{type(error).__name__} in {name.value}"
        return SignalResult(status=SignalStatus.ERROR, reason=reason)


def log_failure(where: str, error: BaseException) -> None:
    """Log type and traceback; not the message, which may quote the answer."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s failed with %s\n%s", where, type(error).__name__, frames)
