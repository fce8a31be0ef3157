"""The ranking and the decisions of labelled answers that were measured in this process."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.decision import decide
from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import Action
from analysis.engine.verdict.probability import hallucination_score
from desk.policies.admin.presets import Rates
from desk.scoring.rows import Row
from desk.scoring.scoring import NOT_SCORED
from desk.scoring.truth import label_of
from lib.stats.detection import Counts, auroc, counts


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranking and the decisions of a set; `auroc` None where a label is missing."""

    auroc: float | None
    flagged: Counts
    blocked: Counts

    @property
    def rates(self) -> Rates:
        """The shares of right and of wrong answers flagged and blocked; 0 for none of them."""
        return Rates(
            self.flagged.false_alarms or 0.0,
            self.blocked.false_alarms or 0.0,
            self.flagged.recall,
            self.blocked.recall,
        )


def outcome_of(
    rows: Sequence[Row], measurements: Sequence[Measurement], rules: PolicyRules
) -> Outcome:
    """Return how the measured answers are ranked, and what a policy decides of them."""
    labels = [label_of(row.raw) for row in rows]
    scores = [hallucination_score(measurement) for measurement in measurements]
    actions = [
        decide(row.submission.answer, measurement, rules).action
        for row, measurement in zip(rows, measurements, strict=True)
    ]
    return Outcome(
        auroc(labels, [NOT_SCORED if score is None else score for score in scores]),
        counts(labels, [action is not Action.ALLOW for action in actions]),
        counts(labels, [action is Action.BLOCK for action in actions]),
    )
