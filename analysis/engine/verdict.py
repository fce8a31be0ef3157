"""The rule-based aggregator: stored signals of a claim to its verdict. First match wins."""

from collections.abc import Callable
from dataclasses import dataclass

from analysis.engine.policy import PolicyRules
from analysis.engine.types import (
    Band,
    Claim,
    ClaimDecision,
    ClaimStatus,
    Confidence,
    LowConfidenceReason,
    VerifierSignal,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the rule table."""

    name: str
    holds: Callable[[VerifierSignal, PolicyRules], bool]
    status: ClaimStatus
    reason: LowConfidenceReason | None
    why: Callable[[VerifierSignal], str]


def _support(signal: VerifierSignal) -> float:
    return signal.nli.entail if signal.nli else 0.0


def _contradict(signal: VerifierSignal) -> float:
    return signal.nli.contradict if signal.nli else 0.0


def _contradicted(signal: VerifierSignal, rules: PolicyRules) -> bool:
    against = _contradict(signal)
    return against >= rules.contradict_at and against > _support(signal)


def _supported(signal: VerifierSignal, rules: PolicyRules) -> bool:
    coverage = signal.coverage
    if coverage is None or _support(signal) < rules.support_at:
        return False
    named = coverage.entities is None or coverage.entities == 1
    return named and (coverage.numbers is None or coverage.numbers == 1)


def _nothing_found(signal: VerifierSignal, rules: PolicyRules) -> bool:
    coverage = signal.coverage
    return coverage is None or coverage.tokens_overlap < rules.found_at


def _say_conflict(signal: VerifierSignal) -> str:
    told = "; ".join(f"{found.kind.value}: {found.detail}" for found in signal.conflicts)
    return told or "the source says otherwise"


def _say_support(signal: VerifierSignal) -> str:
    coverage = signal.coverage
    overlap = coverage.tokens_overlap if coverage else 0.0
    return f"{overlap:.0%} of the words found together, nothing in conflict"


def _say_lack(signal: VerifierSignal) -> str:
    coverage = signal.coverage
    if coverage is None:
        return "no passage was read"
    parts = [f"{coverage.tokens_overlap:.0%} of the words found"]
    if coverage.numbers is not None and coverage.numbers < 1:
        parts.append("a figure was not found")
    if coverage.entities is not None and coverage.entities < 1:
        parts.append("a name was not found")
    return ", ".join(parts)


_LOW = ClaimStatus.LOW_CONFIDENCE
RULES: tuple[Rule, ...] = (
    Rule(
        "not_checked",
        lambda signal, _: not signal.checked,
        _LOW,
        LowConfidenceReason.NOT_CHECKED,
        lambda _: "the claim was not held against any source",
    ),
    Rule(
        "not_checkable",
        lambda signal, _: not signal.checkable,
        _LOW,
        LowConfidenceReason.NOT_CHECKABLE,
        lambda _: "no words that a source could confirm",
    ),
    Rule("contradicted", _contradicted, ClaimStatus.CONTRADICTORY, None, _say_conflict),
    Rule("supported", _supported, ClaimStatus.SUPPORTED, None, _say_support),
    Rule(
        "nothing_found",
        _nothing_found,
        _LOW,
        LowConfidenceReason.NOTHING_FOUND,
        lambda _: "no passage speaks of it",
    ),
    Rule(
        "not_supported",
        lambda _signal, _rules: True,
        _LOW,
        LowConfidenceReason.NOT_SUPPORTED,
        _say_lack,
    ),
)


def decide_claim(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """The verdict for one claim, from its stored signals and the policy alone."""
    rule = next(rule for rule in RULES if rule.holds(signal, rules))
    return ClaimDecision(
        claim_id=claim.claim_id,
        status=rule.status,
        reason=rule.reason,
        rationale=f"{rule.name}: {rule.why(signal)}",
        primary_evidence=_evidence(rule.status, signal),
        signals_ref=(signal.signal_id,),
        confidence=_confidence(rule.status, signal, rules),
    )


def _evidence(status: ClaimStatus, signal: VerifierSignal) -> str | None:
    if status is ClaimStatus.CONTRADICTORY:
        return signal.contradicted_by
    return signal.supported_by or signal.contradicted_by


def _confidence(status: ClaimStatus, signal: VerifierSignal, rules: PolicyRules) -> Confidence:
    """Seed 4's block. `overall_confidence` is how far the claim may be trusted, 0-1."""
    if signal.nli is None:
        return Confidence(None, None, None, Band.LOW)
    support, contradict = signal.nli.entail, signal.nli.contradict
    overall = round(support * (1 - contradict), 4)
    strength = {ClaimStatus.SUPPORTED: overall, ClaimStatus.CONTRADICTORY: contradict}
    return Confidence(support, contradict, overall, _band(strength.get(status, 0.0), rules))


def _band(strength: float, rules: PolicyRules) -> Band:
    if strength >= rules.band_high:
        return Band.HIGH
    return Band.MEDIUM if strength >= rules.band_medium else Band.LOW
