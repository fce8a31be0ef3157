"""Advice for one application, with the caveats that a lead must know."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.types import AnswerKind
from analysis.models import Policy, SamplingPlan
from desk.policies.advice.labels import MOST, Labelled, labelled
from desk.policies.advice.thresholds import Point, Proposal, SearchStatus, Threshold, propose
from desk.reviews.selectors.sampling import strata
from desk.scoring.calibration.labels import NOT_JUDGED
from desk.verdict_page.words import with_sign

DAYS, ALPHA, DELTA = 180, 0.05, 0.1
MAX_DAYS = 3_650
SMALLEST_SHARE, LARGEST_SHARE = 0.0001, 0.5
"""The range of `alpha` and `delta`."""
_EVEN = 0.9
"""A caution is given if one action's share of decided samples is below this part of another's."""
KINDS: dict[str, Promise] = {
    AnswerKind.BARE: gettext_lazy("A name, a figure or a phrase"),
    AnswerKind.PLACED: gettext_lazy("A phrase that stands in the sources"),
    AnswerKind.SHORT: gettext_lazy("One or two sentences"),
    AnswerKind.LONG: gettext_lazy("Three sentences or more"),
    AnswerKind.RECORD: gettext_lazy("One or two sentences about records or tables"),
    AnswerKind.LONG_RECORD: gettext_lazy("Three sentences or more about records or tables"),
    NOT_JUDGED: gettext_lazy("Read by no judge"),
}
"""The kinds of answers, in words."""


@dataclass(frozen=True, slots=True)
class AdviceRequest:
    """A request: at most `alpha` unsupported among the accepted, with confidence 1 - `delta`.

    It covers the checks submitted in the last `days`.
    """

    threshold: Threshold = Threshold.UNSUPPORTED_AT
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
    current: float
    outcome: SearchStatus
    proposed: float | None
    words: str
    labels: int
    unsafe: int
    labels_needed: int
    sample_counts: dict[str, int]
    decided: dict[str, int]
    curve: tuple[Point, ...]
    kinds: dict[str, Point]
    assumptions: tuple[str, ...]
    cautions: tuple[str, ...]


def advise(application_id: UUID, question: AdviceRequest) -> Advice:
    """Advise under the active policy (or the default); change nothing."""
    policy = Policy.objects.filter(application_id=application_id, is_active=True).first()
    rules = DEFAULT_RULES if policy is None else PolicyRules.from_json(policy.rules)
    until = timezone.now()
    since = until - timedelta(days=question.days)
    which = question.threshold
    thresholds = which.possible(rules)
    policies = [which.policy(rules, value) for value in thresholds]
    sample = labelled(application_id, policies, which.worst, since=since, until=until)
    proposal = propose(
        sample.labels, thresholds,
        current=which.of(rules), alpha=question.alpha, delta=question.delta,
    )  # fmt: skip
    return Advice(
        threshold=which,
        alpha=question.alpha,
        delta=question.delta,
        since=since,
        until=until,
        policy_version=None if policy is None else policy.version,
        current=which.of(rules),
        outcome=proposal.outcome,
        proposed=proposal.threshold,
        words=_words(question, proposal),
        labels=proposal.labels,
        unsafe=proposal.unsafe,
        labels_needed=proposal.labels_needed,
        sample_counts=sample.sample_counts,
        decided=sample.decided,
        curve=proposal.points,
        kinds=proposal.kinds,
        assumptions=tuple(_assumptions(proposal)),
        cautions=(*_cautions(sample), *_of_plan(application_id, since, until)),
    )


def percent(share: float) -> str:
    """Return a share in percent, with as many digits as it needs."""
    return with_sign(number_format(f"{100 * share:.3g}"))


def _words(question: AdviceRequest, proposal: Proposal) -> str:
    goal = {"share": percent(question.alpha), "certainty": percent(1 - question.delta)}
    if proposal.outcome is SearchStatus.FOUND:
        best = next(p for p in proposal.points if p.threshold == proposal.threshold)
        return _(
            "“%(threshold)s %(value)s” keeps the share of unsupported answers among the accepted "
            "at or below %(share)s with a certainty of %(certainty)s: of %(accepted)d "
            "reviewed answers that it accepts, %(unsafe)d are unsupported, and it rejects "
            "%(rejected)d supported ones."
        ) % {
            **goal,
            "threshold": question.threshold.label,
            "value": number_format(f"{best.threshold:g}"),
            "accepted": best.accepted,
            "unsafe": best.unsafe_accepted,
            "rejected": best.wrongly_rejected,
        }
    if proposal.outcome is SearchStatus.NOT_ENOUGH_LABELS:
        most = max((point.accepted for point in proposal.points), default=0)
        return _(
            "Too few answers have been reviewed: to keep the share at or below %(share)s with a "
            "certainty of %(certainty)s, at least %(needed)s accepted ones without a fault are "
            "needed, and there are %(most)d. Review more of the quality sample, or allow a higher "
            "share."
        ) % {**goal, "needed": proposal.labels_needed, "most": most}
    return (
        _(
            "No value of this threshold keeps the share at or below %(share)s with a "
            "certainty of %(certainty)s: too many of the accepted answers are unsupported, "
            "whatever it is, or too few have been reviewed."
        )
        % goal
    )


def _assumptions(proposal: Proposal) -> Iterator[str]:
    yield _(
        "%(labels)d reviewed answers, %(unsafe)d of them unsupported, all from the quality "
        "sample: drawn at random from all checks. Reviews of other flagged answers are not used."
    ) % {"labels": proposal.labels, "unsafe": proposal.unsafe}
    yield _("The reviewers' decisions are right; escalated and undecided ones do not count.")
    yield _("Future answers are like those of the period.")
    yield _(
        "Everything else in the policy stays as it is: what other rules reject stays rejected, "
        "whatever the threshold."
    )
    yield _(
        "%(n)d values were tried, which follow from the policy alone. The certainty allows for "
        "trying that many (method of Bonferroni and Holm)."
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
        ) % {"low": percent(rates[0]), "high": percent(rates[-1])}
    if sample.other_rules:
        yield _(
            "%(n)d reviews were left out: an override for the collections of those checks applies."
        ) % {"n": sample.other_rules}
    if sample.other_engine:
        yield _(
            "%(n)d reviews were left out: those checks were measured by another version of the "
            "engine, or without a signal that the policy needs."
        ) % {"n": sample.other_engine}
    if sum(sample.decided.values()) >= MOST:
        most = number_format(MOST, force_grouping=True)
        yield _("Only the newest %(n)s reviews were used.") % {"n": most}
