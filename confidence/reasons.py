"""Why an action was decided, for people: stored reasons without ids, and their kind in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from analysis.engine.types import Band
from confidence.engine_texts import in_words

_ALL_SUPPORTED = "all_supported"
_IDS = re.compile(r" \((?:c_\d+(?:, )?)+\)")
KINDS = {
    "contradicted_claim": _("A source contradicts the answer."),
    "contradicted_claim_high_confidence": _("A source clearly contradicts the answer."),
    "no_sources": _("There were no sources, so nothing could be verified."),
    "conflicting_sources": _("The sources disagree with each other."),
    "no_claim_supported": _("The sources support no claim of the answer."),
    "low_confidence_claims": _("Parts of the answer are not supported by the sources."),
    "injection": _("A source contains text that reads like instructions to a model."),
    "citation_mismatch": _("A cited source does not support the statement that cites it."),
    "unsupported_language": _("A text is not in English, the only language of the models."),
    "nothing_verified": _("The answer says nothing that could be compared with the sources."),
    "risk_score": _("The risk score has reached the limit of the policy."),
    "hallucination_score": _("The answer as a whole is probably not fully supported."),
    _ALL_SUPPORTED: _("The sources support every claim."),
    "nothing_to_check": _("The answer makes no claim that could be checked."),
}
_SUPPORT = {
    Band.MEDIUM: _("The sources support every claim, but some only probably."),
    Band.LOW: _("The policy accepts every claim, but the support of some is uncertain."),
}
"""What is said of `all_supported` where the badge of a claim says no more."""
_SAFETY = _("A safety check failed.")
_NOT_CHECKED = _("A part of the check could not run.")
_UNKNOWN = _("See the details.")


@dataclass(frozen=True, slots=True)
class ReasonView:
    """One ground: its kind in one sentence, and the figures behind it."""

    action: str
    decided: bool
    sentence: str
    figures: str


def reasons(document: Sequence[dict[str, Any]], weakest: Band = Band.HIGH) -> list[ReasonView]:
    """The stored reasons for a page in the reader's language.

    `weakest` is how sure the least sure support of a claim is.
    """
    return [_reason(item, weakest) for item in document]


def _reason(reason: dict[str, Any], weakest: Band) -> ReasonView:
    if reason["code"] == _ALL_SUPPORTED and weakest in _SUPPORT:
        return ReasonView(reason["action"], reason["decided"], str(_SUPPORT[weakest]), "")
    figures = in_words(_IDS.sub("", reason["text"]), reason["code"])
    return ReasonView(reason["action"], reason["decided"], _sentence(reason["code"]), figures)


def _sentence(code: str) -> str:
    if code.startswith("safety_"):
        return str(_SAFETY)
    if code.startswith("not_checked"):
        return str(_NOT_CHECKED)
    return str(KINDS.get(code, _UNKNOWN))
