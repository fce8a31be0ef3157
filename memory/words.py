"""Reasons why a fact was not stored, in the reader's language."""

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

_ENGLISH = "en"
_BY_CODE = {
    "secret": _("It holds a password, key or code, which is never stored."),
    "personal_data": _("It holds personal data, which is never stored."),
    "instruction": _("Memory stores facts; it accepts no instructions on how answers are judged."),
    "single_reading": _("A single reading is not a lasting fact."),
    "one_off": _("Something done once is not a lasting fact."),
    "question": _("A question is not a statement."),
    "reported": _("Only what the manager states is kept, not what a source says."),
    "transcript": _("The text is too long; state the fact in one sentence."),
    "nothing_said": _("Nothing was entered."),
    "unsure": _("It is not clear that this is a lasting fact."),
    "not_worth_storing": _("No lasting fact about the manager or the site was found."),
    "duplicate": _("This is already remembered."),
    "older": _("A newer value is remembered."),
}


def reason_text(code: str, reason: str) -> str:
    """Return the reason as judged, in English; in other languages the sentence of its code.

    Reasons are stored in English with their figures, so only their kind is translated.
    """
    if get_language() in (_ENGLISH, None) or code not in _BY_CODE:
        return reason
    return str(_BY_CODE[code])
