"""Figures and names of policies as people read them."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """A share (0-1) with one decimal; a word where there is none."""
    return _("unknown") if share is None else f"{number_format(round(share * 100, 1), 1)} %"


@register.filter
def spoken(name: str) -> str:
    """A code without its underscores."""
    return _(name.replace("_", " "))
