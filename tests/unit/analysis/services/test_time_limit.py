"""A signal is stopped when the time for the check is over, and the others stand."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from analysis.engine import Action, SignalStatus, Source, Submission, decide, measure
from analysis.engine.signals.result import SignalResult
from analysis.engine.signals.runner import OutOfTime, run
from analysis.engine.types import SignalName
from analysis.services.time_limit import TimeLimit


def endless() -> SignalResult[int]:
    while True:
        pass


def test_what_runs_when_the_time_is_over_is_stopped_and_says_so() -> None:
    before = signal.getsignal(signal.SIGALRM)
    value, state = run(SignalName.GROUNDING, "m", endless, TimeLimit.of(0.05))
    assert value is None
    assert state.status is SignalStatus.TRUNCATED
    assert "0.05 seconds" in state.reason
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_ends_in_time_is_not_disturbed() -> None:
    value, state = run(SignalName.GROUNDING, "m", lambda: SignalResult(1), TimeLimit.of(60))
    assert (value, state.status) == (1, SignalStatus.OK)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_outside_the_main_thread_nothing_begins_after_the_time() -> None:
    def begin() -> None:
        with TimeLimit(0.0, 0.0).interrupting():
            pytest.fail("it began")

    with ThreadPoolExecutor(1) as pool, pytest.raises(OutOfTime):
        pool.submit(begin).result()


def test_a_check_without_time_left_ends_with_what_there_is() -> None:
    class AfterTwo:
        """Lets the claims and one signal be measured."""

        asked = 0

        def interrupting(self):  # type: ignore[no-untyped-def]
            self.asked += 1
            return TimeLimit.of(60 if self.asked <= 2 else 0).interrupting()

    text = "Refunds definitely take 14 days."
    measured = measure(Submission(text, "", (Source("s", text),)), limit=AfterTwo())
    assert [claim.text for claim in measured.claims] == ["Refunds definitely take 14 days"]
    assert measured.states["overconfidence"].status is SignalStatus.OK
    assert measured.states["grounding"].status is SignalStatus.TRUNCATED
    decision = decide(text, measured)
    assert decision.action is not Action.ALLOW
    assert "not_checked_grounding" in {reason.code for reason in decision.reasons}
