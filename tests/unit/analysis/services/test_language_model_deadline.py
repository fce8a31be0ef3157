"""A slow language model costs a check neither its end nor the embedded judge's verdict."""

from collections.abc import Sequence
from contextlib import nullcontext
from time import monotonic, sleep

import pytest

from analysis.engine import Measurement, SignalStatus, Source, Submission, measure
from analysis.engine.signals.runner import Limit
from analysis.services.time_limit import TimeLimit
from inference.judge import ClaimJudgement
from inference.judge.cascade import Cascade
from inference.judge.language_model import LanguageModel, Limits
from inference.llm import Endpoint
from tests.fake_llm import Fake, serving, silence

TEXT = "The standard warranty covers defects. Damage caused by water is excluded."
ANSWER = "Wet devices are not paid for."
PATIENT = Limits(seconds=60.0)


@pytest.fixture(autouse=True, scope="module")
def opened() -> None:
    """Load the client library before a check's time begins, as a worker does."""
    LanguageModel((Endpoint("http://127.0.0.1:1", "m"),)).open()


class First:
    """An embedded judge that is unsure, and takes its time."""

    model_id = "small@1"

    def __init__(self, takes: float = 0.0) -> None:
        self.takes = takes
        self.seconds: list[float | None] = []

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement, ...]:
        self.seconds.append(seconds)
        sleep(self.takes)
        return tuple(ClaimJudgement(0.5, 0.3, 0.2, (), (), 1.0) for _ in claims)


def cascade(fake: Fake, limit: TimeLimit, first: First) -> Cascade:
    model = LanguageModel((Endpoint(fake.url, "m"),), PATIENT)
    return Cascade(first, model, seconds_left=limit.seconds_for_models)


def measured(judge: Cascade | First, limit: Limit) -> Measurement:
    return measure(Submission(ANSWER, "", (Source("s1", TEXT),)), judge=judge, limit=limit)


def assert_the_first_judge_decided(measurement: Measurement, problem: str) -> None:
    state = measurement.states["judge"]
    assert state.status is SignalStatus.OK
    assert state.reason.startswith(f"llm:m did not decide: {problem}")
    (signal,) = measurement.signals
    assert signal.judgement is not None
    assert (signal.judgement.entail, signal.judgement.judge) == (0.5, "small")


def test_a_silent_model_gets_only_what_is_left_of_the_check() -> None:
    with serving([silence()]) as fake:
        limit = TimeLimit.of(4.0, 60)
        measurement = measured(cascade(fake, limit, First()), limit)
        assert len(fake.requests) == 1
    assert monotonic() - limit.began < PATIENT.seconds / 2
    assert_the_first_judge_decided(measurement, "not answered within ")
    assert measurement.states["relevance"].status is SignalStatus.NOT_APPLICABLE, "no question"


def test_what_the_first_judge_said_outlives_the_end_of_the_check() -> None:
    with serving([silence()]) as fake:
        model = LanguageModel((Endpoint(fake.url, "m"),), PATIENT)
        limit = TimeLimit.of(1.0, 60)
        measurement = measured(Cascade(First(), model), limit)
    assert_the_first_judge_decided(measurement, "not answered within ")
    assert measurement.states["citations"].status is SignalStatus.TRUNCATED


def test_where_the_first_judge_used_up_the_time_no_model_is_asked() -> None:
    with serving([silence()]) as fake:
        limit = TimeLimit.of(1.9, 60)
        measurement = measured(cascade(fake, limit, First(takes=0.6)), limit)
        assert not fake.requests
    assert_the_first_judge_decided(measurement, "no time was left for it")


def test_the_embedded_judge_gets_no_more_than_is_left_of_the_check() -> None:
    class AlmostOver:
        def interrupting(self) -> nullcontext[None]:
            return nullcontext()

        def seconds_for_models(self) -> float:
            return 3.0

    first = First()
    measured(first, AlmostOver())
    measured(first, TimeLimit.of(60, 60))
    assert first.seconds == [3.0, 8.0]
