"""Advice for one application, with the caveats that a lead must know."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.models import Policy, SamplingPlan
from desk.policies.advice.thresholds import Point, Proposal, SearchStatus, Threshold, propose
from desk.reviews.selectors.labels import MOST, Labelled, labelled
from desk.reviews.selectors.sampling import strata

DAYS, ALPHA, DELTA = 180, 0.05, 0.1
MAX_DAYS = 3_650
SMALLEST_SHARE, LARGEST_SHARE = 0.0001, 0.5
"""What may be asked for `alpha` and `delta`."""
_EVEN = 0.9
"""Said is when less of one action's sample is decided than this share of another's."""


@dataclass(frozen=True, slots=True)
class AdviceRequest:
    """A request: at most `alpha` unsupported among the accepted, with confidence 1 - `delta`.

    It covers the checks submitted in the last `days`.
    """

    threshold: Threshold = Threshold.WARN_AT
    alpha: float = ALPHA
    delta: float = DELTA
    days: int = DAYS


@dataclass(frozen=True, slots=True)
class Advice:
    """The proposal with its words, as the API and the command return it.

    `current` is the threshold of the active `policy_version`. `assumptions` must always hold for
    the proposal to mean something; `cautions` say why they may not hold here.
    """

    threshold: Threshold
    alpha: float
    delta: float
    since: datetime
    until: datetime
    policy_version: int | None
    current: int
    outcome: SearchStatus
    proposed: int | None
    words: str
    labels: int
    unsafe: int
    labels_needed: int
    sample_counts: dict[str, int]
    decided: dict[str, int]
    curve: tuple[Point, ...]
    assumptions: tuple[str, ...]
    cautions: tuple[str, ...]


def advise(application_id: UUID, question: AdviceRequest) -> Advice:
    """Advise under the active policy (or the default); change nothing."""
    policy = Policy.objects.filter(application_id=application_id, is_active=True).first()
    rules = DEFAULT_RULES if policy is None else PolicyRules.from_json(policy.rules)
    until = timezone.now()
    since = until - timedelta(days=question.days)
    labelled_sample = labelled(application_id, rules, since=since, until=until)
    proposal = propose(
        labelled_sample.labels,
        rules,
        question.threshold,
        alpha=question.alpha,
        delta=question.delta,
    )
    return Advice(
        threshold=question.threshold,
        alpha=question.alpha,
        delta=question.delta,
        since=since,
        until=until,
        policy_version=None if policy is None else policy.version,
        current=getattr(rules, question.threshold.value),
        outcome=proposal.outcome,
        proposed=proposal.threshold,
        words=_words(question, proposal),
        labels=proposal.labels,
        unsafe=proposal.unsafe,
        labels_needed=proposal.labels_needed,
        sample_counts=labelled_sample.sample_counts,
        decided=labelled_sample.decided,
        curve=proposal.points,
        assumptions=tuple(_assumptions(labelled_sample, proposal)),
        cautions=(*_cautions(labelled_sample), *_of_plan(application_id, since, until)),
    )


def _words(question: AdviceRequest, proposal: Proposal) -> str:
    goal = {
        "share": f"{100 * question.alpha:.3g}",
        "certainty": f"{100 * (1 - question.delta):.3g}",
    }
    if proposal.outcome is SearchStatus.FOUND:
        best = next(p for p in proposal.points if p.threshold == proposal.threshold)
        return _(
            "“%(threshold)s %(value)d” keeps the share of unsupported answers among the accepted "
            "at or below %(share)s%% with a certainty of %(certainty)s%%: of %(accepted)d "
            "reviewed answers that it accepts, %(unsafe)d are unsupported, and it rejects "
            "%(rejected)d supported ones."
        ) % {
            **goal,
            "threshold": question.threshold.label,
            "value": best.threshold,
            "accepted": best.accepted,
            "unsafe": best.unsafe_accepted,
            "rejected": best.wrongly_rejected,
        }
    if proposal.outcome is SearchStatus.NOT_ENOUGH_LABELS:
        most = max((point.accepted for point in proposal.points), default=0)
        return _(
            "Too few answers have been reviewed: to keep the share at or below %(share)s%% with a "
            "certainty of %(certainty)s%%, at least %(needed)s accepted ones without a fault are "
            "needed, and there are %(most)d. Review more of the quality sample, or ask for less."
        ) % {**goal, "needed": proposal.labels_needed, "most": most}
    return (
        _(
            "No threshold of the risk score keeps the share at or below %(share)s%% with a "
            "certainty of %(certainty)s%%: too many of the accepted answers are unsupported, "
            "whatever their score, or too few have been reviewed."
        )
        % goal
    )


def _assumptions(sample: Labelled, proposal: Proposal) -> Iterator[str]:
    yield _(
        "%(labels)d reviewed answers, %(unsafe)d of them unsupported, all from the quality "
        "sample: drawn by chance from checks of every action. Reviews of other flagged answers are "
        "not used."
    ) % {"labels": proposal.labels, "unsafe": proposal.unsafe}
    yield _("The reviewers' decisions are right; escalated and undecided ones do not count.")
    yield _("Future answers are like those of the period.")
    yield _(
        "Everything else in the policy stays as it is: what other rules reject stays rejected, "
        "whatever the threshold."
    )
    yield _(
        "%(n)d thresholds were tried: every score that the policy's points can add up to. The "
        "certainty allows for trying that many (method of Bonferroni and Holm)."
    ) % {"n": len(proposal.points)}


def _of_plan(application_id: UUID, since: datetime, until: datetime) -> Iterator[str]:
    plan = SamplingPlan.objects.filter(pk=application_id).first()
    for part in strata(plan, start=since, end=until) if plan else ():
        if not part.is_met:
            yield _(
                "The sampling plan is not met in these days for %(part)s: %(decided)d of "
                "%(needed)d answers are reviewed."
            ) % {"part": part.name, "decided": part.decided, "needed": part.sample_needed}


def _cautions(sample: Labelled) -> Iterator[str]:
    shares = {
        name: sample.decided.get(name, 0) / n for name, n in sample.sample_counts.items() if n
    }
    if shares and min(shares.values()) < _EVEN * max(shares.values()):
        decided = (
            _("%(decided)d of %(total)d %(action)s")
            % {
                "decided": sample.decided.get(name, 0),
                "total": sample.sample_counts[name],
                "action": name,
            }
            for name in sorted(shares)
        )
        yield _(
            "The sample is not decided evenly (%(parts)s): what is reviewed first counts for "
            "more. Decide its open items before you rely on this."
        ) % {"parts": ", ".join(decided)}
    rates = sorted({label.probability for label in sample.labels})
    if len(rates) > 1:
        yield _(
            "The sample was drawn at different rates (%(low)s to %(high)s): times with a higher "
            "rate weigh more."
        ) % {"low": f"{rates[0]:g}", "high": f"{rates[-1]:g}"}
    if sample.other_rules:
        yield _(
            "%(n)d reviews were left out: those checks were decided by other rules than "
            "those in force, or an override for their collections applies."
        ) % {"n": sample.other_rules}
    if sum(sample.decided.values()) >= MOST:
        yield _("Only the newest %(n)s reviews were used.") % {"n": f"{MOST:,}"}
