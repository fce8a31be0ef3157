"""Template filters for the figures and names of policies."""

from django import template
from django.utils.translation import gettext as _

from desk.verdict_page.engine_texts import WORDS, name_in_words
from desk.verdict_page.reasons import sentence
from desk.verdict_page.words import exact_percent

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """Return a share (0-1) in percent with one decimal, or "unknown" for None."""
    return _("unknown") if share is None else exact_percent(share)


@register.filter
def label(name: str) -> str:
    """Return the label of a reason or safety check, or the code without underscores."""
    if name in WORDS["rejection"]:
        return name_in_words("rejection", name)
    return sentence(name) or _(name.replace("_", " "))
