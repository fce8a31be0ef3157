"""A judge that is loaded on first use."""

from collections.abc import Sequence

from inference.judge.types import ClaimJudgement, Judge
from inference.lazy import Lazy
from lib.telemetry.attributes import EVALUATOR, model
from lib.telemetry.tracing import span


class LazyJudge:
    """A `Judge` loaded by its first call, also after a fork."""

    def __init__(self, judge: Lazy[Judge]) -> None:
        self._judge = judge

    @property
    def model_id(self) -> str:
        return self._judge.get().model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        judge = self._judge.get()
        with span("judge", {**model(EVALUATOR, judge.model_id), "watchdog.claims": len(claims)}):
            return judge.predict(question, evidence, claims, before=before, seconds=seconds)
