"""Errors in a policy's rules, in the reader's language and with the form's labels."""

import re

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from desk.policies.admin.words import SETTINGS
from lib.text.messages import Templates, fill

MESSAGES = (
    _("unknown signal {names}"),
    _("an error can never be ALLOW"),
    _("a contradicted claim cannot be kept"),
    _("must be a list of at most {n}"),
    _("{name} is used twice"),
    _("{name} is for the same collections"),
    _("must be an object of name, collections and rules"),
    _("must be a name of at most {n} characters"),
    _("must be a list of collection names"),
    _("must be an object of the settings that differ"),
    _("an override cannot have overrides"),
    _("{n} is above block_at {limit}"),
    _("is above score.block_above"),
    _("is above high_confidence_at"),
    _("is above band_high"),
    _("must be at least {limit}, not {n}"),
    _("must be above {limit}, not {n}"),
    _("must be at most {limit}, not {n}"),
    _("unknown key “{name}”"),
    _("must not be longer than {n} characters"),
    _("must not be empty"),
    _("has an unmatched brace; write {{ or }} for a literal one"),
    _("may hold {scope} and nothing else in braces, not {name}"),
    _("is too large"),
    _("must be {wanted}, not {kind}"),
    _("must be one of {names}"),
    _("must be a list of signal names"),
)
"""All that `PolicyError` and the check of a refusal text can say."""
_TEMPLATES = Templates.of(MESSAGES, {})
_NAME = re.compile(rf"\b(?:{'|'.join(re.escape(n) for n in SETTINGS if '_' in n)})\b")


def in_words(reason: str) -> str:
    """Return the reason in the reader's language, with the labels of the settings it names."""
    message = _TEMPLATES.read(reason)
    text = fill(gettext(message.template), message.values) if message else reason
    quoted = gettext("“%s”")
    return _NAME.sub(lambda match: quoted % SETTINGS[match[0]].label, text)
