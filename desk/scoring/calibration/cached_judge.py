"""A judge that reads each answer once."""

from collections.abc import Sequence

from inference.judge import ClaimJudgement, Judge

_Question = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


class CachedJudge:
    """A `Judge` that caches another's scores, so that an answer is read once."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._judgements: dict[_Question, tuple[ClaimJudgement | None, ...]] = {}

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        key = question, tuple(evidence), tuple(claims), tuple(before)
        if key not in self._judgements:
            self._judgements[key] = self._judge.predict(
                question, evidence, claims, before=before, seconds=seconds
            )
        return self._judgements[key]
