"""Signals, states and verdicts in words for readers who do not know their names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from analysis.engine.response.final_response import CITED, CORRECTED, OBSERVED, REPAIRED
from analysis.engine.response.mitigation import REFUSED
from analysis.engine.response.partial_answer import PARTIAL
from analysis.engine.types import ClaimStatus
from analysis.engine.verdict import wording
from analysis.engine.verdict.wording import ClaimOutcome
from analysis.models import Check, CheckState, HoldState
from analysis.selectors.results import AWAITING, EDITED
from desk.verdict_page.engine_texts import WORDS, in_words, name_in_words

ICONS = {
    ClaimStatus.SUPPORTED: "supported",
    ClaimStatus.CONTRADICTORY: "contradictory",
    ClaimStatus.LOW_CONFIDENCE: "low-confidence",
}
STATUSES_OF_CLAIMS = {status: _(label) for status, label in wording.LABELS.items()}
_OF_ONE = {
    ClaimOutcome.CONTRADICTED: _("a source contradicts it"),
    ClaimOutcome.CONFLICTING_SOURCES: _("the sources disagree about it"),
    ClaimOutcome.NOT_SUPPORTED: _("no source supports it"),
    ClaimOutcome.NOTHING_FOUND: _("nothing was found about it"),
    ClaimOutcome.NOT_CHECKED: _("it was not checked"),
    ClaimOutcome.NOT_CONFIRMED: _("the sources do not clearly support it"),
    ClaimOutcome.NOT_CHECKABLE: _("it states nothing that can be checked"),
    ClaimOutcome.SUPPORTED: _("a source supports it"),
}
_MITIGATIONS = {
    OBSERVED: _("Left as it stands: the policy only observes"),
    REFUSED: _("Refused the answer"),
    PARTIAL: _("Showed the supported part"),
    CORRECTED: _("Quoted what the sources say"),
    CITED: _("Added citations"),
    REPAIRED: _("Removed citations of sources that do not exist"),
    AWAITING: _("Awaiting review"),
    EDITED: _("Approved in other words"),
    "removed_contradicted_claims": _("Removed contradicted claims"),
    "replaced_contradicted_claims": _("Replaced contradicted claims by a warning"),
    "flagged_contradicted_claims": _("Marked contradicted claims"),
    "removed_low_confidence_claims": _("Removed claims that are not confirmed"),
    "replaced_low_confidence_claims": _("Replaced claims that are not confirmed by a warning"),
    "flagged_low_confidence_claims": _("Marked claims that are not confirmed"),
}
MARKING = frozenset(
    {OBSERVED, CITED, REPAIRED, "flagged_contradicted_claims", "flagged_low_confidence_claims"}
)
"""Actions that leave the words of the answer unchanged."""
_CORRECTED_WHOLE = _("Replaced the answer by what the sources say")
RISK_SIGNALS = {
    "rag_contradiction": _("A claim contradicts a source"),
    "rag_unverified": _("A claim has no source that supports it"),
    "internal_contradiction": _("The answer contradicts itself"),
    "overconfidence": _("The wording is more certain than the evidence"),
}
_FAILED = _("Could not be checked: %(failed)s. All %(n)d attempts failed.")
_TRIED = _("Not checked yet: attempt %(n)d failed (%(failed)s); it will be retried.")
NOT_MEASURED = _("not measured")


@dataclass(frozen=True, slots=True)
class SignalTableRow:
    """One line of a table of signals. `kind` is `good`, `bad` or `none`: the icon before it."""

    name: str
    value: str
    kind: str = "none"


def claim_words(status: ClaimStatus) -> tuple[str, str]:
    """Return a claim's status as people read it everywhere, and the icon that goes with it."""
    return str(STATUSES_OF_CLAIMS[status]), ICONS[status]


def signal_name(name: str) -> str:
    """Return a signal's name in words, or the stored name if it is unknown."""
    return gettext("The whole answer") if name == "all" else name_in_words("signal", name)


def status_name(status: str) -> str:
    """Return a signal's status in words, or the stored one if it is unknown."""
    return gettext(WORDS["status"].get(status, status))


def status_words(state: dict[str, Any]) -> str:
    """Return `{"status": "unavailable", "reason": "No model"}` as "not available (no model)"."""
    words, reason = status_name(state["status"]), _within(state.get("reason"))
    return f"{words} ({reason})" if reason else words


def costs(judges: Sequence[dict[str, Any]]) -> list[str]:
    """Return what language models decided and what it cost, one line each."""
    line = gettext(
        "%(judge)s: claims decided: %(decided)s, not available for: %(unavailable)s, "
        "calls: %(calls)s, tokens: %(tokens)s"
    )
    entries = (use for use in judges if use["calls"] or use["unavailable"])
    return [
        line
        % {
            k: n if isinstance(n, str) else number_format(n, force_grouping=True)
            for k, n in use.items()
        }
        for use in entries
    ]


def why_not(state: dict[str, Any]) -> str:
    """Return why a signal did not run: its reason, or its status if none is given."""
    return _within(state.get("reason")) or status_name(state["status"])


def _within(sentence: str | None) -> str:
    """Return a sentence for use within another: in English without the initial capital."""
    text = in_words(sentence or "")
    is_english = text == sentence
    return text[0].lower() + text[1:] if is_english and text[1:2].islower() else text


def reason_words(reason: str | None) -> str:
    """Return why the confidence in a claim is low, or "" if it is not."""
    return str(_OF_ONE[wording.outcome(ClaimStatus.LOW_CONFIDENCE, reason)]) if reason else ""


def sentence(clause: str) -> str:
    """Return "no source supports it" as "No source supports it."."""
    return f"{clause[:1].upper()}{clause[1:]}." if clause else ""


def hold_state(hold: dict[str, Any] | None) -> str:
    """Return the state of a held answer in words; "" if it is not held."""
    return str(HoldState(hold["state"]).label) if hold else ""


def mitigation_words(code: str) -> str:
    """Return a stored mitigation action, `removed_contradicted_claims`, in words."""
    return str(_MITIGATIONS.get(code) or code.replace("_", " ").capitalize())


def mitigations(codes: Sequence[str]) -> list[str]:
    """Return what was done to the answer in words; a refusal replaced by a quotation is omitted."""
    if REFUSED in codes and CORRECTED in codes:
        rest = [code for code in codes if code not in (REFUSED, CORRECTED)]
        return [str(_CORRECTED_WHOLE), *map(mitigation_words, rest)]
    return list(map(mitigation_words, codes))


def percent(share: float | None) -> str:
    """Return 0.9234 as "92%", as the reader's language writes it."""
    return str(NOT_MEASURED) if share is None else with_sign(f"{share * 100:.0f}")


def exact_percent(share: float) -> str:
    """Return 0.9234 as "92.3%", as the reader's language writes it."""
    return with_sign(number_format(round(share * 100, 1), 1))


def with_sign(number: str) -> str:
    """Return "92" as "92%", as the reader's language writes it."""
    return gettext("%s%%") % number


def public_state_words(check: Check) -> str:
    """Return the state of an undecided check for the public, or "" for a decided one."""
    if check.state == CheckState.FAILED:
        return gettext("This answer could not be checked. Do not rely on it.")
    return "" if check.state == CheckState.DONE else gettext("Not checked yet. Reload in a moment.")


def state_words(check: Check) -> str:
    """Return the state of an undecided check, or "" for a decided one."""
    failed = check.last_error or gettext("the worker stopped before it had finished")
    values = {"failed": failed, "n": check.attempts}
    match check.state:
        case CheckState.FAILED:
            return _FAILED % values
        case CheckState.RUNNING:
            return gettext("Not checked yet: being checked now (attempt %d).") % check.attempts
        case CheckState.QUEUED if check.attempts:
            return _TRIED % values
        case CheckState.QUEUED:
            return gettext("Not checked yet: waiting for a worker.")
    return ""
