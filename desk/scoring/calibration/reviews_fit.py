"""Fits a policy's limits to the reviewed quality sample, from stored signals: no model runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from analysis.engine import Measurement
from analysis.engine.policy import PolicyRules
from analysis.engine.replay import why_not
from analysis.models import Check, Review
from analysis.selectors.results import stored_measurement
from desk.reviews.selectors.reviewed import settling_reviews
from desk.scoring.assessing.stored import rows_with_answers
from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer, labelled
from desk.scoring.calibration.policy_fit import Aims, Rates, fit_policy, rates
from desk.scoring.rows import row_of
from desk.scoring.split import split_of

MOST = 2_000
"""The newest settled reviews of the quality sample that are fitted to: some seconds."""
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class ReviewsFit:
    """The fitted policy, and what both do to the reviews that were held back.

    Fitted on `fitting` reviews; `left_out` could not be decided again under the policy. `compared`
    are the rates before and after, of all of them ("") and of each kind of answer.
    """

    policy: PolicyRules
    fitting: int
    held_back: int
    left_out: int
    compared: Mapping[str, tuple[Rates, Rates]]


def fit_to_reviews(application_id: UUID, rules: PolicyRules, aims: Aims) -> ReviewsFit:
    """Fit the limits of `rules` on half of the sources, and compare on the other half.

    Only the quality sample counts: other reviews are of flagged answers. Raises CalibrationError
    where a half has nothing to fit or to compare.
    """
    halves: dict[str, list[LabelledAnswer]] = {"tune": [], "report": []}
    left_out = 0
    for half, answer in _answers(application_id, rules):
        if answer is None:
            left_out += 1
        else:
            halves[half].append(answer)
    fitting, held_back = halves["tune"], halves["report"]
    if not fitting or not held_back:
        raise CalibrationError(
            f"{len(fitting) + len(held_back)} reviews of the quality sample can be used, and they "
            "must be of sources in both halves."
        )
    policy = fit_policy(fitting, rules, aims)
    groups = {"": held_back}
    for answer in sorted(held_back, key=lambda answer: answer.kind):
        groups.setdefault(answer.kind, []).append(answer)
    compared = {name: (rates(some, rules), rates(some, policy)) for name, some in groups.items()}
    return ReviewsFit(policy, len(fitting), len(held_back), left_out, compared)


def _answers(
    application_id: UUID, rules: PolicyRules
) -> Iterator[tuple[str, LabelledAnswer | None]]:
    """Yield each review's half and answer; None where these rules cannot decide it."""
    checks = Check.objects.filter(application=application_id, sampled=True)
    reviews = settling_reviews(checks, applications=[application_id])
    ids = list(reviews.order_by("-id").values_list("pk", flat=True)[:MOST])
    for at in range(0, len(ids), _AT_ONCE):
        for row, answer in rows_with_answers(Review.objects.filter(pk__in=ids[at : at + _AT_ONCE])):
            measurement = Measurement.from_json(stored_measurement(answer))
            decided_by = PolicyRules.from_json(answer.policy.rules)
            cannot = why_not(measurement, decided_by, rules)
            yield split_of(row), None if cannot else labelled(row_of(0, row), measurement)
