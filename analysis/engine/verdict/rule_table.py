"""The verdict for a claim, from its stored signals and the policy, and for its citations.

The first rule that matches wins. Of a claim that a judge read, one probability decides: it is
supported if that is more likely than not, and not confirmed between that and the policy's limit. A
certain conflict makes it contradictory; without one the judge does. Of a claim that no judge read,
the scores by rules (lexical-1) decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import NliScores, VerifierSignal
from analysis.engine.types import Band, CitationMismatch, Claim, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict.probability import LIKELY, is_certain, unsupported
from analysis.engine.verdict_types import ClaimDecision, Confidence

_NOTHING = NliScores(0.0, 0.0, 0.0)
_PER_NAT, _MOST_BY_ENTROPY = 0.05, 0.5
_BY_DISAGREEMENT = 0.5
_MOST_WORDS = 5
_ALONE = 0.94
"""Weight of a judge's contradiction without a conflicting figure or field. At the default limits
3 % of the right everyday answers of the development set are blocked."""


@dataclass(frozen=True, slots=True)
class Case:
    """One claim as the rules see it: only its stored signals and the policy."""

    claim: Claim
    signal: VerifierSignal
    rules: PolicyRules

    @property
    def scores(self) -> NliScores:
        """The scores of lexical-1; 0 without any."""
        return self.signal.lexical or _NOTHING

    @property
    def supports(self) -> bool:
        """True if the score for the claim reaches its threshold."""
        return self.scores.entail >= self.rules.support_at

    @property
    def contradicts_more(self) -> bool:
        """True if the score against the claim exceeds the one for it."""
        return self.scores.contradict > self.scores.entail

    @property
    def all_found(self) -> bool:
        """True if a passage has every name and every figure of the claim."""
        coverage = self.signal.coverage
        if coverage is None:
            return False
        return coverage.entities in (None, 1) and coverage.numbers in (None, 1)

    @property
    def unknown_names(self) -> tuple[str, ...]:
        """The addresses, paths, functions and codes of the claim that no source has."""
        coverage = self.signal.coverage
        return coverage.unknown_names if coverage else ()

    @property
    def disagreement(self) -> float:
        """The disagreement of the samples about the claim, 0-1; 0 without any."""
        consistency = self.signal.consistency
        return (consistency.disagreement or 0.0) if consistency else 0.0

    @property
    def entropy(self) -> float:
        """The mean entropy of the claim's tokens in nats; 0 if nothing was measured."""
        uncertainty = self.signal.uncertainty
        return (uncertainty.mean_entropy or 0.0) if uncertainty else 0.0

    @property
    def unsteady(self) -> bool:
        """True if the model that wrote the claim was itself unsure of it."""
        at = self.rules
        return self.disagreement >= at.inconsistent_at or self.entropy >= at.uncertain_at

    @property
    def probability(self) -> float:
        """The probability that the claim is not supported; 1 if nothing was measured."""
        value = unsupported(self.signal)
        return 1.0 if value is None else value

    @property
    def doubted(self) -> bool:
        """True if that probability reaches the policy's limit."""
        judgement = self.signal.judgement
        return self.probability >= self.rules.limit_of(judgement.kind if judgement else None)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the rule table."""

    name: str
    holds: Callable[[Case], bool]
    status: ClaimStatus
    reason: LowConfidenceReason | None
    why: Callable[[Case], str]


def _contradicted(case: Case) -> bool:
    return case.contradicts_more and case.scores.contradict >= case.rules.contradict_at


def _unsteady(case: Case) -> bool:
    return case.supports and case.scores.entail < case.rules.steady_at and case.unsteady


def _nothing_found(case: Case) -> bool:
    """Return whether no passage mentions the claim: too few of its words occur together."""
    coverage = case.signal.coverage
    return coverage is None or coverage.tokens_overlap < case.rules.found_at


def _say_conflict(case: Case) -> str:
    """Return the conflicting content of a passage, in words."""
    details = "; ".join(
        f"{conflict.kind.value}: {conflict.detail}" for conflict in case.signal.conflicts
    )
    return details or "the source says otherwise"


def _doubted_words(case: Case) -> str:
    """Return the words of the claim that the judge doubts most, quoted, or ""."""
    start, at = case.claim.start, case.rules.doubt_at
    spans = [(a - start, b - start) for a, b, doubt in case.signal.unsupported if doubt >= at]
    return ", ".join(f"“{case.claim.text[a:b]}”" for a, b in spans[:_MOST_WORDS])


def _say_unsteady(case: Case) -> str:
    """Return in words how unsure of the claim its generator was."""
    parts = [f"support is only {case.scores.entail:.2f}"]
    if case.disagreement >= case.rules.inconsistent_at:
        parts.append(f"the samples disagree ({case.disagreement:.2f})")
    if case.entropy >= case.rules.uncertain_at:
        parts.append(f"entropy {case.entropy:.2f} nats")
    return ", ".join(parts)


def _say_support(case: Case) -> str:
    overlap = case.signal.coverage.tokens_overlap if case.signal.coverage else 0.0
    return f"{overlap:.0%} of its words found together, no conflict"


def _say_lack(case: Case) -> str:
    coverage = case.signal.coverage
    if coverage is None:
        return "no passage was compared"
    parts = [f"{coverage.tokens_overlap:.0%} of its words found"]
    if coverage.numbers is not None and coverage.numbers < 1:
        parts.append("a figure is missing from the sources")
    if coverage.entities is not None and coverage.entities < 1:
        parts.append("a name is missing from the sources")
    return ", ".join(parts)


def _say_unknown_names(case: Case) -> str:
    names = ", ".join(f"“{name}”" for name in case.unknown_names[:_MOST_WORDS])
    return f"no source has {names}"


def _say_unchecked(case: Case) -> str:
    details = "the claim was not compared with any source"
    if case.disagreement:
        details += f"; the samples disagree ({case.disagreement:.2f})"
    return details


def _contradicts(case: Case) -> bool:
    """Return whether the judge finds a contradiction, and a passage has the claim's subject."""
    judgement = case.signal.judgement
    if judgement is None or case.signal.contradicted_by is None:
        return False
    return case.doubted and judgement.contradict > judgement.neutral


def _unsteady_judged(case: Case) -> bool:
    return case.unsteady and 1 - case.probability < case.rules.steady_at


def _say_probability(case: Case) -> str:
    text = f"probability of being supported {1 - case.probability:.2f}"
    words = _doubted_words(case)
    return f"{text}; doubted: {words}" if words else text


_AGAINST, _FOR, _LOW = ClaimStatus.CONTRADICTORY, ClaimStatus.SUPPORTED, ClaimStatus.LOW_CONFIDENCE
_Why = LowConfidenceReason
NOTHING_TO_GO_BY: tuple[Rule, ...] = (
    Rule("not_checked", lambda case: not case.signal.checked, _LOW, _Why.NOT_CHECKED,
         _say_unchecked),
    Rule("not_checkable", lambda case: not case.signal.checkable, _LOW, _Why.NOT_CHECKABLE,
         lambda _: "it says nothing that a source could confirm"),
    Rule("conflicting_sources", lambda case: case.signal.disputed, _LOW, _Why.CONFLICTING_SOURCES,
         lambda case: f"one source supports it, another contradicts it ({_say_conflict(case)})"),
)  # fmt: skip
_UNKNOWN_NAMES = Rule(
    "unknown_names",
    lambda case: bool(case.unknown_names),
    _LOW,
    _Why.NOT_SUPPORTED,
    _say_unknown_names,
)
RULES: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    # Against the claim.
    Rule("contradicted", _contradicted, _AGAINST, None, _say_conflict),
    # Support that does not hold.
    _UNKNOWN_NAMES,
    Rule("unsteady", _unsteady, _LOW, _Why.NOT_SUPPORTED, _say_unsteady),
    # For the claim.
    Rule("supported", lambda case: case.supports and case.all_found, _FOR, None, _say_support),
    # Neither.
    Rule("nothing_found", _nothing_found, _LOW, _Why.NOTHING_FOUND,
         lambda _: "no passage covers it"),
    Rule("not_supported", lambda _: True, _LOW, _Why.NOT_SUPPORTED, _say_lack),
)  # fmt: skip
"""For claims that no judge read. Read from above: the first that holds names the decision."""
JUDGED: tuple[Rule, ...] = (
    *NOTHING_TO_GO_BY,
    Rule("contradicted", lambda case: is_certain(case.signal), _AGAINST, None, _say_conflict),
    Rule("contradicted_by_judge", _contradicts, _AGAINST, None, _say_probability),
    _UNKNOWN_NAMES,
    Rule("nothing_found", lambda case: case.doubted and _nothing_found(case), _LOW,
         _Why.NOTHING_FOUND, lambda case: f"no passage covers it; {_say_probability(case)}"),
    Rule("not_supported", lambda case: case.doubted, _LOW, _Why.NOT_SUPPORTED, _say_probability),
    Rule("unsteady", _unsteady_judged, _LOW, _Why.NOT_SUPPORTED,
         lambda case: f"{_say_unsteady(case)}; {_say_probability(case)}"),
    Rule("not_confirmed", lambda case: case.probability >= LIKELY, _LOW, _Why.NOT_CONFIRMED,
         _say_probability),
    Rule("supported", lambda _: True, _FOR, None, _say_probability),
)  # fmt: skip
"""For claims that a judge read."""


def decide_claim(claim: Claim, signal: VerifierSignal, rules: PolicyRules) -> ClaimDecision:
    """Return the verdict for one claim, from its stored signals and the policy alone."""
    case = Case(claim, signal, rules)
    by_rules = signal.judgement is None
    rule = next(rule for rule in (RULES if by_rules else JUDGED) if rule.holds(case))
    confidence = (_confidence if by_rules else _judged_confidence)(rule.status, case)
    return ClaimDecision(
        claim_id=claim.claim_id,
        status=rule.status,
        reason=rule.reason,
        rationale=f"{rule.name}: {rule.why(case)}",
        primary_evidence=_evidence(rule.status, signal),
        signals_ref=(signal.signal_id,),
        confidence=confidence,
    )


def _evidence(status: ClaimStatus, signal: VerifierSignal) -> str | None:
    """Return the passage that a verdict rests on."""
    if status is ClaimStatus.CONTRADICTORY:
        return signal.contradicted_by
    return signal.supported_by or signal.contradicted_by


def _confidence(status: ClaimStatus, case: Case) -> Confidence:
    """Return the verifier API's confidence block.

    `overall_confidence`, 0-1, is the claim's support, reduced by its contradiction, by five
    hundredths for each nat of entropy (the verifier API's example: 0.81 × 0.97 × 0.944 = 0.74) and
    by up to half if the samples disagree.
    """
    if case.signal.lexical is None:
        return Confidence(None, None, None, Band.LOW)
    support, contradict = case.scores.entail, case.scores.contradict
    overall = round(support * (1 - contradict) * _steadiness(case), 4)
    return Confidence(support, contradict, overall, _band(status, overall, contradict, case.rules))


def _judged_confidence(status: ClaimStatus, case: Case) -> Confidence:
    """Return probabilities of support and contradiction, and the overall confidence (0-1)."""
    judgement = case.signal.judgement
    if judgement is None or unsupported(case.signal) is None:
        return Confidence(None, None, None, Band.LOW)
    support = round(1 - case.probability, 4)
    contradict = _contradiction(case)
    if status is ClaimStatus.CONTRADICTORY:
        support = round(min(support, 1 - contradict), 4)
    overall = round(support * _steadiness(case), 4)
    return Confidence(support, contradict, overall, _band(status, overall, contradict, case.rules))


def _contradiction(case: Case) -> float:
    """Return the probability that the sources contradict the claim."""
    if is_certain(case.signal):
        return round(case.probability, 4)
    judgement, share = case.signal.judgement, 0.0
    if judgement is not None and judgement.contradict:
        share = judgement.contradict / (judgement.contradict + judgement.neutral)
    return round(_ALONE * case.probability * share, 4)


def _steadiness(case: Case) -> float:
    """Return the factor, 0-1, that reduces support if the generator was unsure of the claim."""
    sure = 1 - min(_PER_NAT * case.entropy, _MOST_BY_ENTROPY)
    return sure * (1 - _BY_DISAGREEMENT * min(case.disagreement, 1.0))


def _band(status: ClaimStatus, overall: float, contradict: float, rules: PolicyRules) -> Band:
    """Return the band of a verdict, low unless the claim is supported or contradicted."""
    by_status = {ClaimStatus.SUPPORTED: overall, ClaimStatus.CONTRADICTORY: contradict}
    strength = by_status.get(status, 0.0)
    if strength >= rules.band_high:
        return Band.HIGH
    return Band.MEDIUM if strength >= rules.band_medium else Band.LOW


_UNKNOWN = (LowConfidenceReason.NOT_CHECKABLE, LowConfidenceReason.NOT_CHECKED)


def mismatches(
    signals: Sequence[VerifierSignal], claims: Sequence[ClaimDecision], rules: PolicyRules
) -> tuple[CitationMismatch, ...]:
    """Return the claims with citations that do not support them, in text order."""
    pairs = zip(signals, claims, strict=True)
    return tuple(
        CitationMismatch(claim.claim_id, numbers)
        for signal, claim in pairs
        if (numbers := _unsupporting(signal, claim, rules))
    )


def _unsupporting(
    signal: VerifierSignal, claim: ClaimDecision, rules: PolicyRules
) -> tuple[int, ...]:
    """Return the cited sources that do not support the claim.

    If together they do, those that say next to nothing about it.
    """
    if claim.reason in _UNKNOWN or signal.cited_scores is None:
        return ()
    if not _together(signal, claim, rules):
        return tuple(source.number for source in signal.cited_sources)
    return tuple(
        source.number
        for source in signal.cited_sources
        if source.share < rules.found_at and not source.leads
    )


def _together(signal: VerifierSignal, claim: ClaimDecision, rules: PolicyRules) -> bool:
    """Return whether the cited sources alone support the claim."""
    if claim.reason is LowConfidenceReason.NOT_CONFIRMED:
        return True
    is_supported = claim.status is ClaimStatus.SUPPORTED
    if is_supported and any(source.leads for source in signal.cited_sources):
        return True
    scores = signal.cited_scores
    disputed = claim.reason is LowConfidenceReason.CONFLICTING_SOURCES
    if scores is None or not (disputed or is_supported):
        return False
    return scores.entail >= rules.support_at and scores.entail > scores.contradict
