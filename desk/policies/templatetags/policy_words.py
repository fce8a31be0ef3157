"""Figures and names of policies as people read them."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from desk.verdict_page.engine_texts import WORDS, name_in_words
from desk.verdict_page.reasons import sentence

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """A share (0-1) with one decimal; a word where there is none."""
    return _("unknown") if share is None else f"{number_format(round(share * 100, 1), 1)} %"


@register.filter
def label(name: str) -> str:
    """The code of a reason or of a safety check in words; any other without its underscores."""
    if name in WORDS["rejection"]:
        return name_in_words("rejection", name)
    return sentence(name) or _(name.replace("_", " "))
