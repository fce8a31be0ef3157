"""Fits a policy's thresholds to labelled answers with the functions that decide."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from analysis.engine.decision import judge
from analysis.engine.policy import KindLimits, PolicyRules
from analysis.engine.types import Action, AnswerKind, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict_types import ClaimDecision
from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer
from lib.stats.detection import Counts, counts

_GRID = tuple(hundredths / 100 for hundredths in range(1, 100))
_NEVER = 1.0
LEAST_OF_KIND = 20
"""Right answers of a kind below which it has no limit of its own."""
_Setting = Callable[[float], PolicyRules]


@dataclass(frozen=True, slots=True)
class Aims:
    """The largest shares (0-1) of right claims and answers that a policy may flag or block."""

    flagged: float = 0.10
    blocked: float = 0.02


@dataclass(frozen=True, slots=True)
class Rates:
    """A policy's confusion tables for claims and answers that people found wrong or right.

    Contradicted and unsupported claims count as flagged; so do answers that are not allowed.
    """

    claims: Counts
    flagged: Counts
    blocked: Counts


def rates(answers: Sequence[LabelledAnswer], rules: PolicyRules) -> Rates:
    """Decide every answer by the policy, and count."""
    decisions = [judge(answer.measurement, rules) for answer in answers]
    wrong = [answer.wrong for answer in answers]
    claims = [
        (label, _is_flagged(claim))
        for answer, decision in zip(answers, decisions, strict=True)
        for label, claim in zip(answer.wrong_claims, decision.claims, strict=True)
        if label is not None
    ]
    return Rates(
        counts([label for label, _ in claims], [doubted for _, doubted in claims]),
        counts(wrong, [decision.action is not Action.ALLOW for decision in decisions]),
        counts(wrong, [decision.action is Action.BLOCK for decision in decisions]),
    )


def _is_flagged(claim: ClaimDecision) -> bool:
    unconfirmed = claim.reason is LowConfidenceReason.NOT_CONFIRMED
    return claim.status is not ClaimStatus.SUPPORTED and not unconfirmed


def fit_policy(answers: Sequence[LabelledAnswer], rules: PolicyRules, aims: Aims) -> PolicyRules:
    """Return the policy with the strictest thresholds that meet the aims on these answers.

    Fitted are, in order: the probability from which a claim is unsupported, without the score, and
    that of each kind of answer with LEAST_OF_KIND right ones; the score above which an answer is
    warned about, if the policy has a limit; and the probability from which an unsupported answer is
    blocked. A threshold that cannot meet its aim becomes 1 and flags nothing; a kind then has that
    of all. The policy's other rules remain. Raises CalibrationError.
    """
    if all(answer.wrong for answer in answers):
        raise CalibrationError("The half that is fitted on has no right answer.")
    limits = rules.score

    def flags_few(candidate: PolicyRules, some: Sequence[LabelledAnswer] = answers) -> bool:
        shares = rates(some, candidate)
        return max(_of_right(shares.claims), _of_right(shares.flagged)) <= aims.flagged

    def blocks_few(candidate: PolicyRules) -> bool:
        return _of_right(rates(answers, candidate).blocked) <= aims.blocked

    never = replace(limits, warn_above=_NEVER, block_above=_NEVER)
    silent = replace(rules, score=never, by_kind=KindLimits())
    fitted = _strictest(lambda at: replace(silent, unsupported_at=at), flags_few)
    own = dict[str, float]()
    for kind in AnswerKind:
        some = [answer for answer in answers if answer.kind == kind]
        if sum(not answer.wrong for answer in some) >= LEAST_OF_KIND:
            keeps = partial(flags_few, some=some)
            best = _strictest(lambda at: replace(silent, unsupported_at=at), keeps)
            if best.unsupported_at not in (fitted.unsupported_at, _NEVER):
                own[kind] = best.unsupported_at
    fitted = replace(fitted, by_kind=KindLimits(**own))
    if limits.warn_above < _NEVER:
        fitted = _strictest(lambda at: _with_score(fitted, at, limits.block_above), flags_few)
    return _strictest(
        lambda at: replace(fitted, unsupported_sure_at=max(at, fitted.unsupported_at)), blocks_few
    )


def _strictest(setting: _Setting, keeps: Callable[[PolicyRules], bool]) -> PolicyRules:
    """Return the lowest threshold that meets an aim: a higher one flags no more."""
    first = bisect_left(_GRID, True, key=lambda at: keeps(setting(at)))
    return setting(_GRID[first] if first < len(_GRID) else _NEVER)


def _with_score(rules: PolicyRules, at: float, block_above: float) -> PolicyRules:
    limits = replace(rules.score, warn_above=at, block_above=max(at, block_above))
    return replace(rules, score=limits)


def _of_right(counts: Counts) -> float:
    """Return the share of right ones that are flagged, or 0 if there are none."""
    return counts.false_alarms or 0.0
