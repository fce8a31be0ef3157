"""Decides from stored signals: a pure function of a measurement and a policy.

Each finding contributes a reason, the most severe decides, and what was not checked never
counts as clean.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.engine.policy import (
    ALL_SIGNALS,
    DEFAULT_RULES,
    REQUIRED_SIGNALS,
    PolicyRules,
    candidates,
)
from analysis.engine.response.final_response import finalise, hold_of, unchanged
from analysis.engine.safety.model import SafetyCheckResult
from analysis.engine.signal_types import Measurement, SignalName, SignalState
from analysis.engine.signals import overconfidence
from analysis.engine.types import (
    FAILED,
    NO_VALUE,
    Action,
    Band,
    ClaimStatus,
    LowConfidenceReason,
    RiskLevel,
    SignalStatus,
)
from analysis.engine.verdict import risk, wording
from analysis.engine.verdict.probability import hallucination_score
from analysis.engine.verdict.rule_table import decide_claim, mismatches
from analysis.engine.verdict.safety_action import retrieval_action, safety_of, safety_reasons
from analysis.engine.verdict_types import (
    ActionReason,
    ClaimDecision,
    Decision,
    NotChecked,
    RiskAssessment,
    SummaryStats,
)
from lib.text.stems import stems
from lib.text.tokens import plain_words

_NOT_CHECKED = "not_checked_"
_HELD = "held"
APPLICATION_CAUTION = "application_caution"
_CLEAN = {
    "all_supported": "Every claim is supported by the sources",
    "nothing_to_check": "The answer makes no claim that can be checked",
}
_IDLE = LowConfidenceReason.NOT_CHECKABLE
_UNCONFIRMED = LowConfidenceReason.NOT_CONFIRMED


@dataclass(frozen=True, slots=True)
class Assessment:
    """The verdicts and risk of a decision, without an action."""

    claims: tuple[ClaimDecision, ...]
    risk: RiskAssessment


@dataclass(frozen=True, slots=True)
class CoreDecision(Assessment):
    """A decision without the final text: the part that a replay compares."""

    action: Action
    reasons: tuple[ActionReason, ...]
    safety: SafetyCheckResult | None
    hallucination_score: float | None = None


def decide(
    answer: str,
    measurement: Measurement,
    rules: PolicyRules = DEFAULT_RULES,
    collections: Sequence[str] = (),
) -> Decision:
    """Return the decision for one answer. Raises ValueError if it is not the measured answer.

    `collections` were searched: the policy may have overrides for them.
    """
    same = len(answer) == measurement.answer_length
    if not same or any(answer[c.start : c.end] != c.text for c in measurement.claims):
        raise ValueError("the measurement belongs to another answer")
    name, rules, judgement = judge_among(measurement, rules, collections, blank=not answer.strip())
    claims, action = judgement.claims, judgement.action
    unread = any(
        reason.action is Action.BLOCK and reason.code.startswith(_NOT_CHECKED)
        for reason in judgement.reasons
    )
    is_refused = retrieval_action(measurement, judgement.safety, rules) is Action.BLOCK
    # Part of a blocked answer may be shown if retrieval and reading are reliable.
    partly = rules.partial_answers and not unread and not is_refused
    final = (
        unchanged(answer, measurement, claims)
        if rules.observe
        else finalise(answer, measurement, claims, action, rules, partly=partly)
    )
    notes = replace(
        final.citations.notes, mismatches=mismatches(measurement.signals, claims, rules)
    )
    return Decision(
        engine_version=measurement.engine_version,
        claims=claims,
        risk=judgement.risk,
        action=action,
        reasons=judgement.reasons,
        final_response=final.text,
        mitigation_actions=final.mitigations,
        final_spans=final.spans,
        citations=replace(final.citations, notes=notes),
        summary_stats=_stats(claims),
        not_checked=not_checked(measurement),
        safety=judgement.safety,
        partial_answer=final.partial,
        override=name or None,
        hallucination_score=judgement.hallucination_score,
        hold=hold_of(measurement, rules) if _is_held(judgement) else None,
    )


def _is_held(judgement: CoreDecision) -> bool:
    return any(reason.code == _HELD for reason in judgement.reasons)


def judge_among(
    measurement: Measurement, rules: PolicyRules, collections: Sequence[str], *, blank: bool = False
) -> tuple[str, PolicyRules, CoreDecision]:
    """Return the strictest judgement of the applicable rules, with its name ("": the policy's).

    Of equals, one that holds the answer.
    """
    judgements = [
        (name, candidate, judge(measurement, candidate, blank=blank))
        for name, candidate in candidates(rules, collections)
    ]
    return max(judgements, key=lambda entry: (entry[2].action.severity, _is_held(entry[2])))


def assess(measurement: Measurement, rules: PolicyRules, *, blank: bool = False) -> Assessment:
    """Return the verdicts and risk that the risk API reports."""
    claims = _verdicts(measurement, rules)
    return Assessment(
        claims, _assess(measurement, claims, rules, not_checked(measurement), blank=blank)
    )


def _verdicts(measurement: Measurement, rules: PolicyRules) -> tuple[ClaimDecision, ...]:
    pairs = zip(measurement.claims, measurement.signals, strict=True)
    return tuple([decide_claim(claim, signal, rules) for claim, signal in pairs])


def judge(measurement: Measurement, rules: PolicyRules, *, blank: bool = False) -> CoreDecision:
    """Return verdicts, score, reasons and action; `blank`: the answer has no text.

    Reasons are in the order in which equals decide. It reads neither answer nor passages, so that a
    replay need not load them.
    """
    claims, missing = _verdicts(measurement, rules), not_checked(measurement)
    assessed = _assess(measurement, claims, rules, missing, blank=blank)
    safe = safety_of(measurement, claims, rules.safety.thresholds)
    reasons = _claim_reasons(measurement, claims, rules)
    reasons += _notices(measurement, claims, rules)
    reasons += _not_checked_reasons(missing, rules)
    score = hallucination_score(measurement)
    reasons += [*_band_reason(assessed.risk_score, rules), *_score_reason(score, rules)]
    if not reasons:
        code = "all_supported" if claims else "nothing_to_check"
        reasons = [_reason(code, Action.ALLOW, _CLEAN[code])]
    reasons += safety_reasons(measurement, safe, rules)
    reasons += _hold_reasons(measurement, assessed.risk_score, rules)
    action = max((reason.action for reason in reasons), key=lambda each: each.severity)
    return CoreDecision(claims, assessed, action, _mark_decider(reasons, action), safe, score)


def not_checked(measurement: Measurement) -> tuple[NotChecked, ...]:
    """Return every signal that did not finish, with its reason.

    Signals that need more than an answer and its sources are left out if that was not given. In the
    order of `SignalName`: the database keeps none, and a replay must give the same result.
    """
    return tuple(
        NotChecked(name, state.status, state.reason)
        for name in ALL_SIGNALS
        if (state := measurement.states.get(name)) is not None and _is_missing(name, state)
    )


def _is_missing(name: str, state: SignalState) -> bool:
    """Return whether a signal that should have run did not."""
    if state.status is SignalStatus.NOT_APPLICABLE:
        return name in REQUIRED_SIGNALS
    return state.status is not SignalStatus.OK


def _assess(
    measurement: Measurement,
    claims: tuple[ClaimDecision, ...],
    rules: PolicyRules,
    missing: tuple[NotChecked, ...],
    *,
    blank: bool,
) -> RiskAssessment:
    """Return the risk API's score; a failed signal is unknown (None) and never below WARN."""
    signals = _signals(measurement, claims)
    if blank:
        return RiskAssessment(0, RiskLevel.LOW, signals, risk.EMPTY)
    failed = [state for state in missing if _is_needed(state, rules)]
    score = risk.calculate_risk_score(signals, rules.weights.by_signal())
    if failed:
        score = max(score, rules.warn_at)
    details: dict[str, object] = dict(signals)
    details["not_checked"] = "; ".join(f"{state.signal} ({state.reason})" for state in failed)
    details["overconfidence_reason"] = overconfidence.explain(measurement.overconfidence)
    level = RiskLevel(risk.get_risk_level(score, rules))
    return RiskAssessment(score, level, signals, risk.generate_explanation(details, score, rules))


def _signals(measurement: Measurement, claims: tuple[ClaimDecision, ...]) -> dict[str, bool | None]:
    """Return the risk API's four booleans, None if the signal failed."""

    def state_of(signal: SignalName, value: bool) -> bool | None:
        states = (measurement.states[SignalName.CLAIMS], measurement.states[signal])
        failed = any(state.status in NO_VALUE for state in states)
        return None if failed and not value else value

    contradicted = any(claim.status is ClaimStatus.CONTRADICTORY for claim in claims)
    unverified = any(
        claim.status is ClaimStatus.LOW_CONFIDENCE and claim.reason is not _UNCONFIRMED
        for claim in claims
    )
    return {
        "rag_contradiction": state_of(SignalName.GROUNDING, contradicted),
        "rag_unverified": state_of(SignalName.GROUNDING, unverified),
        "internal_contradiction": state_of(
            SignalName.INTERNAL_CONTRADICTION, bool(measurement.contradictions)
        ),
        "overconfidence": state_of(SignalName.OVERCONFIDENCE, bool(measurement.overconfidence)),
    }


def _is_needed(missing: NotChecked, rules: PolicyRules) -> bool:
    """Return whether an unfinished signal counts; an error does, required or not."""
    if missing.status not in FAILED:
        return False
    return missing.signal in rules.required_signals or missing.status is SignalStatus.ERROR


def _reason(code: str, action: Action, text: str) -> ActionReason:
    return ActionReason(code, action, text, decided=False)


def _claim_reasons(
    measurement: Measurement, claims: tuple[ClaimDecision, ...], rules: PolicyRules
) -> list[ActionReason]:
    if not claims:
        return _unread_reasons(measurement, rules)
    actions, own_reasons = rules.verdicts, _contradiction_reasons(claims, rules)
    if measurement.source_count is None:
        text = "No sources were given, so no claim could be verified"
        return [*own_reasons, _reason("no_sources", actions.no_sources, text)]
    supported = sum(claim.status is ClaimStatus.SUPPORTED for claim in claims)
    unconfirmed = sum(claim.reason is _UNCONFIRMED for claim in claims)
    grounded = measurement.states[SignalName.GROUNDING].status
    checked = grounded in (SignalStatus.OK, SignalStatus.TRUNCATED)
    disputed = sum(claim.reason is LowConfidenceReason.CONFLICTING_SOURCES for claim in claims)
    if disputed:
        text = f"The sources disagree about {disputed} of {len(claims)} claims"
        own_reasons.append(_reason("conflicting_sources", actions.conflicting_sources, text))
    missed = any(claim.reason is LowConfidenceReason.NOT_CHECKED for claim in claims)
    if checked and not missed and not supported and not disputed and not unconfirmed:
        text = "The sources support none of the claims"
        text += f": {wording.count_outcomes(map(wording.outcome_of, claims))}"
        action = actions.no_claim_supported
        if not _surely_unsupported(measurement, claims, rules):
            action = min(action, Action.WARN, key=lambda each: each.severity)
        own_reasons.append(_reason("no_claim_supported", action, text))
    low = [claim for claim in claims if claim.reason not in (None, _IDLE, _UNCONFIRMED)]
    if (supported or unconfirmed) and low:
        text = f"Of {len(claims)} claims: {wording.count_outcomes(map(wording.outcome_of, low))}"
        own_reasons.append(_reason("low_confidence_claims", actions.low_confidence, text))
    if measurement.asides:
        text = f"No source says anything of “{measurement.asides[0]}”"
        own_reasons.append(_reason("unread_text", rules.not_checked.truncated, text))
    if unconfirmed:
        text = f"The sources do not clearly support {unconfirmed} of {len(claims)} claims"
        own_reasons.append(_reason("claims_not_confirmed", actions.not_confirmed, text))
    return own_reasons


def _notices(
    measurement: Measurement, claims: Sequence[ClaimDecision], rules: PolicyRules
) -> Iterator[ActionReason]:
    """Yield the reasons that lie in the sources, the languages, the citations and the names."""
    actions = rules.verdicts
    if flagged := tuple(dict.fromkeys(mention.doc_id for mention in measurement.injection)):
        ids = ", ".join(flagged[:5])
        text = f"Passages that read like instructions to a model do not count as support ({ids})"
        yield _reason("injection", actions.flagged_passages, text)
    if languages := measurement.other_languages:
        # The models are unreliable on them.
        text = f"The check is made for English, but the texts are also in {', '.join(languages)}"
        yield _reason("unsupported_language", actions.unsupported_language, text)
    if mismatched := mismatches(measurement.signals, claims, rules):
        ids = ", ".join(mismatch.claim_id for mismatch in mismatched[:5])
        share = f"{len(mismatched)} of {len(claims)} claims"
        text = f"The cited sources do not support {share}"
        yield _reason("citation_mismatch", actions.citation_mismatch, f"{text} ({ids})")
    if measurement.unknown_names:
        names = ", ".join(f"“{name}”" for name in measurement.unknown_names[:5])
        text = f"A tool call has names that no message and no source has: {names}"
        yield _reason("unknown_names", actions.unknown_names, text)
    if measurement.cautions:
        yield _reason(APPLICATION_CAUTION, Action.WARN, " ".join(measurement.cautions))


def _hold_reasons(measurement: Measurement, score: int, rules: PolicyRules) -> list[ActionReason]:
    """Return a reason if the policy wants a person to approve the answer before it is shown.

    It warns at least: a client that knows of no holds shows the answer itself where it is allowed.
    """
    if rules.observe:
        return []
    if score >= rules.hold.risk_at:
        text = f"Risk score {score}; the policy holds answers from {rules.hold.risk_at}"
        return [_reason(_HELD, Action.WARN, text)]
    claims = [_stems(claim.text) for claim in measurement.claims if rules.hold.words]
    for word in rules.hold.words:
        if any(_stems(word) in claim for claim in claims):
            return [_reason(_HELD, Action.WARN, f"The policy holds answers about “{word}”")]
    return []


def _stems(text: str) -> str:
    return f" {' '.join(stems(plain_words(text)))} "


def _surely_unsupported(
    measurement: Measurement, claims: tuple[ClaimDecision, ...], rules: PolicyRules
) -> bool:
    """Return whether every claim is surely unsupported, not merely reworded from the source.

    Only the judge gives such a probability; without it verdicts are taken as they are.
    """
    pairs = zip(measurement.signals, claims, strict=True)
    supports = [claim.confidence.support_prob or 0.0 for signal, claim in pairs if signal.judgement]
    return all(1 - support >= rules.unsupported_sure_at for support in supports)


def _unread_reasons(measurement: Measurement, rules: PolicyRules) -> list[ActionReason]:
    """Return a reason if an answer is more than small talk but has no claim to verify."""
    if not measurement.unread:
        return []
    if measurement.source_count is None:
        text = "No sources were given, so nothing in the answer could be verified"
        return [_reason("no_sources", rules.verdicts.no_sources, text)]
    if measurement.source_count == 0:
        text = "No sources were found"
        return [_reason("no_claim_supported", rules.verdicts.no_claim_supported, text)]
    text = "The answer makes no claim that can be compared with the sources"
    return [_reason("nothing_verified", rules.not_checked.truncated, text)]


def _contradiction_reasons(
    claims: Sequence[ClaimDecision], rules: PolicyRules
) -> list[ActionReason]:
    against = [claim for claim in claims if claim.status is ClaimStatus.CONTRADICTORY]
    if not against:
        return []
    surest = max(claim.confidence.contradict_prob or 0.0 for claim in against)
    high = surest >= rules.high_confidence_at
    actions = rules.verdicts
    code = "contradicted_claim_high_confidence" if high else "contradicted_claim"
    action = actions.contradictory_high_confidence if high else actions.contradictory
    ids = ", ".join(claim.claim_id for claim in against[:5])
    text = f"{len(against)} of {len(claims)} claims contradict the sources ({ids})"
    return [_reason(code, action, text)]


def _not_checked_reasons(missing: tuple[NotChecked, ...], rules: PolicyRules) -> list[ActionReason]:
    """Return reasons for required signals that failed; an error counts, required or not."""
    reasons = []
    for state in missing:
        if state.status not in FAILED:
            continue
        is_required = _is_needed(state, rules)
        action = rules.not_checked.of(state.status) if is_required else Action.ALLOW
        text = f"Not checked: {state.signal} ({state.status.value}: {state.reason})"
        reasons.append(_reason(f"{_NOT_CHECKED}{state.signal}", action, text))
    return reasons


def _band_reason(score: int, rules: PolicyRules) -> list[ActionReason]:
    """Return a reason if the risk score reaches one of the policy's limits."""
    if score >= rules.block_at:
        text = f"Risk score {score}; the policy blocks at {rules.block_at}"
        return [_reason("risk_score", Action.BLOCK, text)]
    if score >= rules.warn_at:
        text = f"Risk score {score}; the policy warns at {rules.warn_at}"
        return [_reason("risk_score", Action.WARN, text)]
    return []


def _score_reason(score: float | None, rules: PolicyRules) -> list[ActionReason]:
    """Return a reason if the response score exceeds the policy's limit."""
    if rules.score.warn_above >= 1 or score is None or score <= rules.score.warn_above:
        return []
    blocks = score > rules.score.block_above
    action, limit = (
        (Action.BLOCK, rules.score.block_above) if blocks else (Action.WARN, rules.score.warn_above)
    )
    digits = 2 if f"{score:.2f}" != f"{limit:.2f}" else 4
    share, most = f"{score:.{digits}f}", f"{limit:.{digits}f}"
    text = f"The probability that the answer is not fully supported is {share}, above {most}"
    return [_reason("hallucination_score", action, text)]


def _mark_decider(reasons: list[ActionReason], action: Action) -> tuple[ActionReason, ...]:
    """Mark the first of the most severe reasons as the deciding one."""
    first = next(at for at, reason in enumerate(reasons) if reason.action is action)
    return (*reasons[:first], replace(reasons[first], decided=True), *reasons[first + 1 :])


def _stats(claims: tuple[ClaimDecision, ...]) -> SummaryStats:
    supported = [claim for claim in claims if claim.status is ClaimStatus.SUPPORTED]
    high = sum(claim.confidence.band is Band.HIGH for claim in supported)
    confidences = (claim.confidence.overall_confidence for claim in claims)
    overall = [confidence for confidence in confidences if confidence is not None]
    return SummaryStats(
        claims_total=len(claims),
        supported_high=high,
        supported_low=len(supported) - high,
        contradicted=sum(claim.status is ClaimStatus.CONTRADICTORY for claim in claims),
        insufficient=sum(claim.status is ClaimStatus.LOW_CONFIDENCE for claim in claims),
        mean_overall_confidence=round(sum(overall) / len(overall), 4) if overall else None,
    )
