"""Running one signal: its time is taken, and a failure is stated instead of raised."""

import logging
import time
import traceback
from collections.abc import Callable
from typing import TypeVar

from analysis.engine.signals.outcome import Outcome
from analysis.engine.types import Signal, SignalState, SignalStatus
from inference.errors import ModelError

T = TypeVar("T")
States = dict[str, SignalState]
logger = logging.getLogger(__name__)


def run(states: States, signal: Signal, model: str, work: Callable[[], T]) -> T | None:
    """Run one signal and note how it went; None where it raised."""
    began = time.perf_counter()
    status, reason, value = SignalStatus.OK, "", None
    try:
        value = work()
    except ModelError as error:
        log_failure(signal.value, error)
        status, reason = SignalStatus.UNAVAILABLE, error.problem
    except Exception as error:  # noqa: BLE001 - a stated outcome, whatever went wrong
        log_failure(signal.value, error)
        status, reason = SignalStatus.ERROR, f"{type(error).__name__} in {signal.value}"
    states[signal.value] = SignalState(status, reason, model, _since(began))
    return value


def report(
    states: States, signal: Signal, count: int, work: Callable[[], Outcome[T]]
) -> tuple[T | None, ...]:
    """Run a signal that tells its own state; one value for each of `count` claims."""
    found = run(states, signal, "", work)
    if found is None:
        return (None,) * count
    ms = states[signal.value].ms
    states[signal.value] = SignalState(found.status, found.reason, found.model, ms)
    return found.claims or (None,) * count


def log_failure(where: str, error: BaseException) -> None:
    """Log type and traceback; not the message, which may quote the answer."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s failed with %s\n%s", where, type(error).__name__, frames)


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
