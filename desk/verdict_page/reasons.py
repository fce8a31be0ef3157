"""Reasons for an action, for people: stored reasons in words, without ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from analysis.engine.types import Action, Band
from desk.verdict_page.engine_texts import in_words

_ALL_SUPPORTED = "all_supported"
KINDS = {
    "contradicted_claim": _("A source seems to contradict the answer."),
    "contradicted_claim_high_confidence": _("A source clearly contradicts the answer."),
    "no_sources": _("There were no sources, so nothing could be verified."),
    "conflicting_sources": _("The sources disagree with each other."),
    "no_claim_supported": _("The sources support no claim of the answer."),
    "low_confidence_claims": _("Parts of the answer are not supported by the sources."),
    "claims_not_confirmed": _("The sources do not clearly support parts of the answer."),
    "injection": _("A source contains text that reads like instructions to a model."),
    "citation_mismatch": _("A cited source does not support the statement that cites it."),
    "unsupported_language": _("A text is not in English, the only language of the models."),
    "unknown_names": _("A tool call has names that no message and no source has."),
    "nothing_verified": _("The answer says nothing that could be compared with the sources."),
    "unread_text": _("A remark after a claim may take it back, and could not be checked."),
    "risk_score": _("The risk score has reached the limit of the policy."),
    "hallucination_score": _("The answer as a whole is probably not fully supported."),
    "application_caution": _("The application itself asked for a warning."),
    "held": _("A person has to approve the answer before it is shown."),
    _ALL_SUPPORTED: _("The sources support every claim."),
    "nothing_to_check": _("The answer makes no claim that could be checked."),
}
_SUPPORT = {
    Band.MEDIUM: _("The sources support every claim, but some only probably."),
    Band.LOW: _("The policy accepts every claim, but the support of some is uncertain."),
}
"""Sentences for `all_supported` by band, where the badge of a claim says no more."""
_SAFETY = {
    "low_confidence": _("The passages match the question only in part."),
    "insufficient_context": _("The sources say too little about the question."),
    "off_topic": _("The question is about something other than the sources."),
    "missing_citations": _("The answer cites no source."),
    "invalid_citations": _("The answer cites a source that does not exist."),
    "low_grounding": _("Fewer claims are supported than the policy asks for."),
    "hallucination_detected": _("A claim is made up or contradicted by the sources."),
    "multiple_issues": _("Several safety checks failed."),
}
_ANY_SAFETY = _("A safety check failed.")
_NOT_CHECKED = _("A part of the check could not run.")
DOUBTED = _("The judge model doubts this; no conflicting word was found.")
_CONTRADICTED = ("contradicted_claim_high_confidence", "contradicted_claim")
_SCORES = ("risk_score", "hallucination_score")
_OF_CLAIMS = (
    *_CONTRADICTED, "no_claim_supported",
    "conflicting_sources", "low_confidence_claims", "claims_not_confirmed",
)  # fmt: skip
_WITHOUT_FIGURES = (_ALL_SUPPORTED, "nothing_to_check", "no_sources", "nothing_verified")
"""Of these the stored text says what the sentence says."""
_UNKNOWN = _("See the details.")


@dataclass(frozen=True, slots=True)
class ReasonView:
    """One reason: its kind in one sentence, and the figures behind it."""

    action: str
    decided: bool
    sentence: str
    figures: str
    code: str = ""

    @property
    def only_noted(self) -> bool:
        """True if the policy only notes the reason, so that it changed nothing."""
        return self.action == Action.ALLOW and not self.decided


def reasons(
    document: Sequence[dict[str, Any]], weakest: Band = Band.HIGH, *, doubted: bool = False
) -> list[ReasonView]:
    """Return the stored reasons for a page in the reader's language.

    `weakest` is the band of the least sure support of any claim. `doubted`: the sources have all
    words of each contradicted claim.
    """
    return [_reason(item, weakest, doubted) for item in document]


def decider(all_reasons: Sequence[ReasonView]) -> ReasonView | None:
    """Return the deciding reason, or None while there is no result."""
    return next((reason for reason in all_reasons if reason.decided), None)


def summary(all_reasons: Sequence[ReasonView]) -> str:
    """Return the deciding reason in one sentence; after a score, also the claims' outcome.

    "" while there is no result.
    """
    decided = decider(all_reasons)
    if decided is None:
        return ""
    of_claims = next((r.sentence for r in all_reasons if r.code in _OF_CLAIMS), "")
    behind = of_claims if decided.code in _SCORES else ""
    return f"{decided.sentence} {behind}".rstrip()


def sentence(code: str) -> str:
    """Return a reason in one sentence without figures, or "" for an unknown code."""
    if code.startswith("safety_"):
        return str(_SAFETY.get(code.removeprefix("safety_"), _ANY_SAFETY))
    if code.startswith("not_checked"):
        return str(_NOT_CHECKED)
    return str(KINDS.get(code, ""))


def _reason(reason: dict[str, Any], weakest: Band, doubted: bool) -> ReasonView:
    code = reason["code"]
    if doubted and code in _CONTRADICTED:
        return ReasonView(reason["action"], reason["decided"], str(DOUBTED), "", code)
    has_figures = code not in _WITHOUT_FIGURES
    figures = in_words(reason["text"], code) if has_figures else ""
    unsure = _SUPPORT.get(weakest) if code == _ALL_SUPPORTED else None
    words = str(unsure or sentence(code) or _UNKNOWN)
    return ReasonView(reason["action"], reason["decided"], words, figures, code)
