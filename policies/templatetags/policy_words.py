"""Figures and names of policies as people read them."""

from django import template

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """A share (0-1) with one decimal; a word where there is none."""
    return "unknown" if share is None else f"{share:.1%}"


@register.filter
def spoken(name: str) -> str:
    """A code without its underscores."""
    return name.replace("_", " ")
