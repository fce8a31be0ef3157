"""At the end of a check's time what was measured stands, and no language model takes longer."""

import hashlib
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from time import monotonic

import pytest

from analysis.engine import Action, Measurement, SignalStatus, Source, Submission, decide, measure
from analysis.engine.signal_types import SignalName
from analysis.engine.signals.runner import Limit, SignalResult, run
from analysis.services.time_limit import TimeLimit
from inference.errors import OutOfTime
from inference.judge.combined import Cascade
from inference.judge.language_model import LanguageModel, Limits
from inference.llm import Endpoint
from tests.fake_llm import Fake, serving, silence
from tests.judges import FixedJudge


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

        def interrupting(self):
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


TEXT = "The standard warranty covers defects. Damage caused by water is excluded."
ANSWER = "Wet devices are not paid for."
PATIENT = Limits(seconds=60.0)


@pytest.fixture(autouse=True, scope="module")
def opened() -> None:
    """Load the client library before a check's time begins, as a worker does."""
    LanguageModel((Endpoint("http://127.0.0.1:1", "m"),)).open()


def unsure(takes: float = 0.0) -> FixedJudge:
    return FixedJudge(0.5, 0.3, 0.2, takes=takes)


def cascade(fake: Fake, limit: TimeLimit, first: FixedJudge) -> Cascade:
    model = LanguageModel((Endpoint(fake.url, "m"),), PATIENT)
    return Cascade(first, model, seconds_left=limit.seconds_for_models)


def measured(judge: Cascade | FixedJudge, limit: Limit) -> Measurement:
    return measure(Submission(ANSWER, "", (Source("s1", TEXT),)), judge=judge, limit=limit)


def assert_the_first_judge_decided(measurement: Measurement, problem: str) -> None:
    state = measurement.states["judge"]
    assert state.status is SignalStatus.OK
    assert state.reason.startswith(f"llm:m did not decide: {problem}")
    (signal,) = measurement.signals
    assert (signal.judgement.entail, signal.judgement.judge) == (0.5, "fixed")


def test_a_silent_model_gets_only_what_is_left_of_the_check() -> None:
    with serving([silence()]) as fake:
        limit = TimeLimit.of(4.0, 60)
        measurement = measured(cascade(fake, limit, unsure()), limit)
        assert len(fake.requests) == 1
    assert monotonic() - limit.began < PATIENT.seconds / 2
    assert_the_first_judge_decided(measurement, "not answered within ")
    assert measurement.states["relevance"].status is SignalStatus.NOT_APPLICABLE, "no question"


def test_what_the_first_judge_said_outlives_the_end_of_the_check() -> None:
    with serving([silence()]) as fake:
        model = LanguageModel((Endpoint(fake.url, "m"),), PATIENT)
        limit = TimeLimit.of(1.0, 60)
        measurement = measured(Cascade(unsure(), model), limit)
    assert_the_first_judge_decided(measurement, "not answered within ")
    assert measurement.states["citations"].status is SignalStatus.TRUNCATED


def test_where_the_first_judge_used_up_the_time_no_model_is_asked() -> None:
    with serving([silence()]) as fake:
        limit = TimeLimit.of(1.9, 60)
        measurement = measured(cascade(fake, limit, unsure(takes=0.6)), limit)
        assert not fake.requests
    assert_the_first_judge_decided(measurement, "no time was left for it")


def test_the_embedded_judge_gets_no_more_than_is_left_of_the_check() -> None:
    class AlmostOver:
        def interrupting(self) -> nullcontext[None]:
            return nullcontext()

        def seconds_for_models(self) -> float:
            return 3.0

    first = unsure()
    measured(first, AlmostOver())
    measured(first, TimeLimit.of(60, 60))
    assert first.seconds == [3.0, 8.0]
