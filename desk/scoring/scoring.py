"""Runs labelled rows through the pipeline and keeps what the figures need."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import django

from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Action, SignalStatus
from desk.scoring import pipeline, signals
from desk.scoring.configuration import Configuration, applied
from desk.scoring.pool import ItemResult, Task, run
from desk.scoring.rows import Row
from desk.scoring.split import source_digest
from desk.scoring.truth import label_of
from desk.scoring.words import missing_words

NOT_SCORED = 1.0
"""Not checked is not clean: an answer without a score counts as flagged."""
_FAILED = (SignalStatus.UNAVAILABLE, SignalStatus.TRUNCATED, SignalStatus.ERROR)


class ScoringError(RuntimeError):
    """Raised for a row that could not be checked: its file's figures would be incomplete."""


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """One labelled answer with all its scores (0-1, higher is worse)."""

    label: bool
    source: str
    """A hash of the source: answers about the same one share it."""
    score: float | None
    flagged: bool
    """True if the action was WARN or BLOCK."""
    blocked: bool
    words: float
    milliseconds: float
    models: tuple[str, ...]
    not_checked: tuple[str, ...]
    rejection: str
    """The primary reason of the safety checks; "" where none failed."""
    task: str = ""
    phenomenon: str = ""
    """The fault that the answer was written to show, as `role-swap`; "" if its set names none."""
    signals: dict[str, float | None] = field(default_factory=dict)
    cpu_milliseconds: float = 0.0
    tokens: int = 0
    """Tokens that judges read."""
    peak_memory: float = 0.0
    """The most that the process has held by then, in MiB."""

    @property
    def ranked(self) -> float:
        """The score; an answer without one counts as flagged."""
        return NOT_SCORED if self.score is None else self.score


def score_rows(
    rows: Sequence[Row], configuration: Configuration, processes: int, time_limit: float
) -> Iterator[ScoredAnswer]:
    """Yield every row in order. Raises ScoringError at the first that could not be checked."""
    outcomes: Iterator[ItemResult[Row]] = run(
        task(configuration, score), iter(rows), processes, time_limit
    )
    for outcome in outcomes:
        if outcome.error:
            raise ScoringError(f"line {outcome.item.line}: {outcome.error}")
        scored_answer: ScoredAnswer = outcome.value
        yield scored_answer


def task(configuration: Configuration, work: object) -> Task:
    """Return a child's task under a configuration; `work` takes the rules and a row."""
    return Task(prepared, (configuration,), work)  # type: ignore[arg-type]


@contextmanager
def prepared(configuration: Configuration) -> Iterator[PolicyRules]:
    """Set up Django with the configuration's settings; yield its policy."""
    django.setup()
    with applied(configuration):
        yield configuration.rules


def score(rules: PolicyRules, row: Row) -> ScoredAnswer:
    """Check one labelled answer and keep what the figures need."""
    checked_answer = pipeline.check(row.submission, rules)
    measurement, decision = checked_answer.measurement, checked_answer.decision
    sources, safety = row.submission.sources or (), decision.safety
    return ScoredAnswer(
        task=str(row.raw.get("task") or ""),
        label=label_of(row.raw),
        source=source_digest(row.raw).hex(),
        score=checked_answer.score,
        flagged=decision.action is not Action.ALLOW,
        blocked=decision.action is Action.BLOCK,
        words=missing_words(
            (claim.text for claim in measurement.claims), (source.text for source in sources)
        ),
        signals=signals.by_name(measurement) | {"risk score": decision.risk.risk_score / 100},
        milliseconds=checked_answer.milliseconds,
        cpu_milliseconds=checked_answer.cpu_milliseconds,
        models=models(measurement),
        not_checked=not_checked(measurement),
        rejection=(safety.rejection_reason or "") if safety else "",
        phenomenon=_phenomenon(row.raw),
        tokens=checked_answer.tokens,
        peak_memory=checked_answer.peak_memory,
    )


def _phenomenon(raw: Mapping[str, Any]) -> str:
    meta = raw.get("meta")
    return str(meta.get("phenomenon") or "") if isinstance(meta, Mapping) else ""


def models(measurement: Measurement) -> tuple[str, ...]:
    """Return the models that measured the signals."""
    return tuple(sorted({state.model for state in measurement.states.values() if state.model}))


def not_checked(measurement: Measurement) -> tuple[str, ...]:
    """Return the applicable signals that did not finish, with their status."""
    return tuple(
        f"{name}: {state.status.value}"
        for name, state in measurement.states.items()
        if state.status in _FAILED
    )
