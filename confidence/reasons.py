"""Why an action was decided, for people: stored reasons without ids, and their kind in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

_IDS = re.compile(r" \((?:c_\d+(?:, )?)+\)")
_ENGLISH = "en"
KINDS = {
    "contradicted_claim": _("A source contradicts the answer."),
    "contradicted_claim_high_confidence": _("A source surely contradicts the answer."),
    "no_sources": _("There were no sources, so nothing could be verified."),
    "conflicting_sources": _("The sources disagree with each other."),
    "no_claim_supported": _("The sources support no claim of the answer."),
    "low_confidence_claims": _("Parts of the answer are not supported by the sources."),
    "injection": _("A source holds text that reads like instructions to a model."),
    "citation_mismatch": _("A cited source does not support what the answer says of it."),
    "unsupported_language": _("A text is not in English, for which the models were made."),
    "nothing_verified": _("The answer says nothing that could be held against the sources."),
    "risk_score": _("The risk score has reached the limit of the policy."),
    "hallucination_score": _("The answer as a whole is probably not fully supported."),
    "all_supported": _("The sources support every claim."),
    "nothing_to_check": _("The answer makes no claim that could be checked."),
}
_SAFETY = _("A safety check failed.")
_NOT_CHECKED = _("A part of the check could not run.")
_UNKNOWN = _("See the details.")


@dataclass(frozen=True, slots=True)
class Reason:
    """One ground: its kind in one sentence, and the figures behind it in English, or empty."""

    action: str
    decided: bool
    sentence: str
    figures: str


def reasons(document: Sequence[dict[str, Any]]) -> list[Reason]:
    """The stored reasons for a page in the reader's language."""
    return [_reason(one) for one in document]


def _reason(one: dict[str, Any]) -> Reason:
    figures = _IDS.sub("", one["text"]) if (get_language() or _ENGLISH)[:2] == _ENGLISH else ""
    return Reason(one["action"], one["decided"], _sentence(one["code"]), figures)


def _sentence(code: str) -> str:
    if code.startswith("safety_"):
        return str(_SAFETY)
    if code.startswith("not_checked"):
        return str(_NOT_CHECKED)
    return str(KINDS.get(code, _UNKNOWN))
