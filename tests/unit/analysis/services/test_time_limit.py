"""A signal is stopped when the time for the check is over, and the others stand."""

import hashlib
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from analysis.engine import Action, SignalStatus, Source, Submission, decide, measure
from analysis.engine.signals.result import SignalResult
from analysis.engine.signals.runner import run
from analysis.engine.types import SignalName
from analysis.services.time_limit import TimeLimit
from inference.errors import OutOfTime


def endless() -> SignalResult[int]:
    while True:
        pass


def test_what_runs_when_the_time_is_over_is_stopped_and_says_so() -> None:
    before = signal.getsignal(signal.SIGALRM)
    value, state = run(SignalName.GROUNDING, "m", endless, TimeLimit.of(0.05, 60))
    assert value is None
    assert state.status is SignalStatus.TRUNCATED
    assert "0.05 seconds" in state.reason
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_no_code_takes_the_end_of_the_time_for_a_failure_of_its_own() -> None:
    def careful() -> SignalResult[int]:
        try:
            return endless()
        except Exception:  # noqa: BLE001 - as around a model that may raise anything
            return SignalResult(0)

    value, state = run(SignalName.GROUNDING, "m", careful, TimeLimit.of(0.05, 60))
    assert (value, state.status) == (None, SignalStatus.TRUNCATED)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_end_that_is_lost_in_a_finaliser_is_raised_again() -> None:
    class Slow:
        def __del__(self) -> None:
            endless()

    def finalising() -> SignalResult[int]:
        Slow()
        return endless()

    value, state = run(SignalName.GROUNDING, "m", finalising, TimeLimit.of(0.05, 60))
    assert (value, state.status) == (None, SignalStatus.TRUNCATED)


def test_work_is_limited_by_what_this_thread_has_done() -> None:
    before = signal.getsignal(signal.SIGPROF)
    value, state = run(SignalName.GROUNDING, "m", endless, TimeLimit.of(600, 0.05))
    assert value is None
    assert state.status is SignalStatus.TRUNCATED
    assert state.reason == "Stopped after 0.05 seconds of work"
    assert signal.getsignal(signal.SIGPROF) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_the_work_of_other_threads_does_not_count() -> None:
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            hashlib.pbkdf2_hmac("sha256", b"a", b"b", 20_000)  # works outside of the lock

    def wait() -> SignalResult[int]:
        began = time.process_time()
        while time.process_time() - began < 0.3:
            time.sleep(0.02)
        return SignalResult(1)

    other = threading.Thread(target=busy)
    other.start()
    try:
        value, state = run(SignalName.GROUNDING, "m", wait, TimeLimit.of(600, 0.2))
    finally:
        over.set()
        other.join()
    assert (value, state.status) == (1, SignalStatus.OK)


def test_what_ends_in_time_is_not_disturbed() -> None:
    value, state = run(SignalName.GROUNDING, "m", lambda: SignalResult(1), TimeLimit.of(60, 60))
    assert (value, state.status) == (1, SignalStatus.OK)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_outside_the_main_thread_nothing_begins_after_the_time() -> None:
    def begin() -> None:
        with TimeLimit(0.0, 60.0, 0.0, 0.0).interrupting():
            pytest.fail("it began")

    with ThreadPoolExecutor(1) as pool, pytest.raises(OutOfTime):
        pool.submit(begin).result()


def test_a_check_without_time_left_ends_with_what_there_is() -> None:
    class AfterTwo:
        """Lets the claims and one signal be measured."""

        asked = 0

        def interrupting(self):  # type: ignore[no-untyped-def]
            self.asked += 1
            return TimeLimit.of(60 if self.asked <= 2 else 0, 60).interrupting()

        def seconds_for_models(self) -> float:
            return 60.0

    text = "Refunds definitely take 14 days."
    measurement = measure(Submission(text, "", (Source("s", text),)), limit=AfterTwo())
    assert [claim.text for claim in measurement.claims] == ["Refunds definitely take 14 days"]
    assert measurement.states["overconfidence"].status is SignalStatus.OK
    assert measurement.states["grounding"].status is SignalStatus.TRUNCATED
    decision = decide(text, measurement)
    assert decision.action is not Action.ALLOW
    codes = {reason.code for reason in decision.reasons}
    assert "not_checked_grounding" in codes
    assert "no_claim_supported" not in codes
    assert decision.action is Action.WARN
